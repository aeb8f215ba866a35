"""What a witness and a mirror are asked, and what they answer (C2SP tlog-witness, tlog-mirror):
functions of what came and what is held, without input or output.

- ``refusals``: whatever is not done, as its answer says it.
- ``notes``: signed notes as strangers send them; ``checkpoints``: a checkpoint as it is submitted,
  and whether it extends what is held.
- ``uploads``: entries as they are uploaded, piece by piece; ``packages``: which entries come
  together, and the proof of them; ``judging``: whether an upload may begin, and how it ends.
"""
