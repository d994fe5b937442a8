// A boardgame.io server with a game of the size of Neptune & Vesta: 50 cells, 30 tiles a player, three in
// hand and hidden, lines of five that score. Matches live in memory. Prints its port when it is ready.
const { Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const CELLS = 50;
const SIDE = 5;
const HAND = 3;
const LINES = [];
for (const zone of [0, 25]) {
  for (let i = 0; i < SIDE; i++) {
    LINES.push([0, 1, 2, 3, 4].map((j) => zone + i * SIDE + j), [0, 1, 2, 3, 4].map((j) => zone + j * SIDE + i));
  }
}
const LINES_OF = Array.from({ length: CELLS }, (_, cell) => LINES.filter((line) => line.includes(cell)));

function deal(G, random) {
  G.cells = Array(CELLS).fill(null);
  G.lighthouse = 0;
  for (const id of ["0", "1"]) {
    const tiles = Array.from({ length: 30 }, (_, i) => (i % 10) + 1);
    const stack = random.Shuffle(tiles);
    G.cells[id === "0" ? 12 : 37] = { owner: id, value: stack.pop() };
    G.players[id].hand = stack.splice(-HAND);
    G.secret.stacks[id] = stack;
  }
}

function points(tiles) {
  const count = {};
  for (const tile of tiles) count[tile.value] = (count[tile.value] || 0) + 1;
  const equal = Object.values(count).reduce((sum, n) => sum + [0, 0, 1, 3, 6, 10][n], 0);
  const own = tiles.filter((tile) => tile.owner === "0").length;
  const found = equal + (own === 0 || own === SIDE ? 3 : 0) || -3;
  return own * 2 > SIDE ? found : -found;
}

function endRound(G, random) {
  G.wins[G.lighthouse >= 0 ? 0 : 1] += 1;
  G.round += 1;
  if (Math.max(...G.wins) < 2) deal(G, random);
}

const NeptuneVesta = {
  name: "neptune-vesta",
  setup: ({ random }) => {
    const G = {
      round: 1,
      wins: [0, 0],
      players: { 0: { hand: [] }, 1: { hand: [] } },
      secret: { stacks: {} },
    };
    deal(G, random);
    return G;
  },
  playerView: ({ G, playerID }) => {
    const { secret, players, ...open } = G;
    return { ...open, hand: playerID === null ? null : players[playerID].hand };
  },
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: {
      client: false,
      move: ({ G, playerID, random }, index, cell) => {
        const hand = G.players[playerID].hand;
        if (!(index in hand) || G.cells[cell] !== null) return INVALID_MOVE;
        const [value] = hand.splice(index, 1);
        G.cells[cell] = { owner: playerID, value };
        for (const line of LINES_OF[cell]) {
          const tiles = line.map((each) => G.cells[each]);
          if (tiles.every(Boolean)) G.lighthouse += points(tiles);
        }
        G.lighthouse = Math.max(-10, Math.min(10, G.lighthouse));
        if (Math.abs(G.lighthouse) === 10 || G.cells.every(Boolean)) endRound(G, random);
        else hand.push(G.secret.stacks[playerID].pop());
      },
    },
  },
  endIf: ({ G }) => (Math.max(...G.wins) === 2 ? { winner: G.wins[0] === 2 ? "0" : "1" } : undefined),
};

const server = Server({ games: [NeptuneVesta], origins: [/localhost/] });
server.run({ port: 0 }).then(({ appServer }) => {
  process.stdout.write(`port ${appServer.address().port}\n`);
});
