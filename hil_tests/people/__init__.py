"""What people do at a table: the dealer, the players, whoever draws cards or pulls a cable.

- ``shoe_hand``: draws cards from the shoe; ``stacked_shoe``: puts known cards into it;
- ``dealer``: everything that a dealer enters, deals and waits for, kept in a ``record``;
- ``jackpot_button``: a round up to the jackpot button, and from there to its end;
- ``players``: decide from what the table shows; ``playing``: a round played by them to its end;
- ``unplugging_dealer``: a dealer who has a cable unplugged once, in a given state.
"""
