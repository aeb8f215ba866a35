/* A bare loop over the cards of figures/kernel: the same numbers and the same shuffle, of eight
 * decks without tens, three quarters of which are dealt. A player and a dealer draw to 17; their
 * totals are compared. No rule beside, no wager, no choice, no count of what happened: what a loop
 * over cards costs. Arguments: hands, seed. Prints nanoseconds of processor time, and the sum of
 * the results, so that nothing is left out. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CARDS = 384, CUT = 288, SHUFFLED = CUT + 20 };

static uint8_t points[CARDS];

static uint64_t shuffle(uint64_t state)
{
    for (int place = 0; place < SHUFFLED; place += 2) {
        state += 0x9E3779B97F4A7C15u;
        uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        z ^= z >> 31;
        for (int at = place; at < place + 2; at++, z >>= 32) {
            int other = at + (int)(((z & 0xFFFFFFFFu) * (uint64_t)(CARDS - at)) >> 32);
            uint8_t card = points[at];
            points[at] = points[other];
            points[other] = card;
        }
    }
    return state;
}

static int draw(int *at, int hard, int ace)
{
    for (;;) {
        int total = ace && hard <= 11 ? hard + 10 : hard;
        if (total >= 17)
            return total;
        int card = points[(*at)++];
        hard += card;
        ace |= card == 1;
    }
}

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    long hands = atol(arguments[1]), sum = 0;
    uint64_t state = strtoull(arguments[2], NULL, 10);
    int at = CUT;
    for (int card = 0, rank = 0; card < CARDS; rank = (rank + 1) % 13)
        if (rank != 9)
            for (int suit = 0; suit < 32 && card < CARDS; suit++)
                points[card++] = rank < 9 ? rank + 1 : 10;
    clock_t begun = clock();
    for (long hand = 0; hand < hands; hand++) {
        if (at >= CUT) {
            state = shuffle(state);
            at = 0;
        }
        int first = points[at], dealer = points[at + 1], second = points[at + 2];
        at += 3;
        int mine = draw(&at, first + second, first == 1 || second == 1);
        if (mine > 21) {
            sum--;
            continue;
        }
        int his = draw(&at, dealer, dealer == 1);
        sum += his > 21 || mine > his ? 1 : mine < his ? -1 : 0;
    }
    printf("%.0f %ld\n", (double)(clock() - begun) * 1e9 / CLOCKS_PER_SEC, sum);
    return 0;
}
