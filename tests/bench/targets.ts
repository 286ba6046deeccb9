/** What a figure is counted in. `x` is CPU time for each request over that of a bare Koa answer. */
export type Unit = 'x' | 'times' | 's' | 'ms' | 'MiB' | 'kB' | 'a second'

/** What a row should come to. */
export interface Target {
  what: string
  unit: Unit
  target: number
  /** Beyond this something is wrong; by default the target itself. */
  alarm?: number
  /** More is better. */
  least?: true
}

/** Every row of the table, in its order. */
export const targets = {
  read: { what: 'read one agent with its two tasks, REST', unit: 'x', target: 3.5, alarm: 5 },
  list: { what: 'list 20 agents, REST', unit: 'x', target: 10, alarm: 14 },
  create: { what: 'create an agent, synced', unit: 'x', target: 7, alarm: 10 },
  createKeyed: { what: 'the same with an Idempotency-Key', unit: 'x', target: 11, alarm: 15 },
  run: { what: 'start a template run, accepted', unit: 'x', target: 10, alarm: 15 },
  runAwaited: { what: 'start a template run, result awaited', unit: 'x', target: 13, alarm: 20 },
  mcpCall: { what: 'MCP tools/call of the read, 2026-07-28', unit: 'x', target: 6, alarm: 9 },
  mcpList: { what: 'MCP tools/list, per 142 kB of answer', unit: 'x', target: 14, alarm: 20 },
  mcpCallLegacy: { what: 'MCP tools/call of the read, 2025', unit: 'x', target: 18, alarm: 25 },
  a2aDirect: { what: 'A2A method of the read', unit: 'x', target: 3.5, alarm: 5 },
  a2aMessage: { what: 'A2A SendMessage calling the read', unit: 'x', target: 9, alarm: 14 },
  a2aAgent: {
    what: "A2A SendMessage to a hosted agent's template task",
    unit: 'x',
    target: 22,
  },
  runsASecond: {
    what: 'template runs, 16 callers waiting',
    unit: 'a second',
    target: 4000,
    alarm: 2500,
    least: true,
  },
  bootFirst: { what: 'start to first answer, first time', unit: 's', target: 0.5, alarm: 0.8 },
  bootLater: { what: 'start to first answer, later', unit: 's', target: 0.5, alarm: 0.8 },
  idle: { what: 'resident memory, idle', unit: 'MiB', target: 150, alarm: 200 },
  readP99: { what: 'p99 of the read over a bare handler', unit: 'times', target: 2 },
  listP99: { what: 'p99 of the list over a bare handler', unit: 'times', target: 2 },
  createP99: { what: 'p99 of the create over a bare handler', unit: 'times', target: 2 },
  mixedP99: { what: 'the same while lists load both', unit: 'times', target: 4 },
  largeRead: { what: 'CPU of the read, {many} agents over 100', unit: 'times', target: 1.4 },
  largeList: { what: 'CPU of the list, {many} over 100', unit: 'times', target: 1.4 },
  largeCreate: { what: 'CPU of the create, {many} over 100', unit: 'times', target: 1.4 },
  largeMemory: { what: 'resident memory more, {many} over 100', unit: 'MiB', target: 60 },
  idleLook: { what: 'a look at {many} schedules, none due', unit: 'ms', target: 5 },
  burst: { what: '{burst} schedules due at once, all fired', unit: 's', target: 10 },
  latest: { what: 'the latest of the fires due while they are', unit: 's', target: 15 },
  week: { what: 'a simulated week of 1,000 hourly tasks', unit: 's', target: 3 },
  commonsPage: { what: '20 of {many} threads, by any sort', unit: 'x', target: 16 },
  commonsThread: { what: '50 replies of a thread, of 1,000,000', unit: 'x', target: 20 },
  commonsVote: { what: 'a vote among {many} threads, synced', unit: 'x', target: 16 },
  commonsPageGrowth: {
    what: 'CPU of the page, {many} threads over 1,000',
    unit: 'times',
    target: 1.4,
  },
  commonsThreadGrowth: {
    what: 'CPU of the replies, {many} over 1,000',
    unit: 'times',
    target: 1.4,
  },
  commonsVoteGrowth: { what: 'CPU of the vote, {many} over 1,000', unit: 'times', target: 1.4 },
  commonsSearch: { what: 'p99 of searches in {many} threads, 4 at a time', unit: 'ms', target: 80 },
  commonsSearchRead: { what: 'longest other read while they search', unit: 'ms', target: 50 },
  commonsJoin: { what: 'a handle by proof of work, checked and made', unit: 'x', target: 16 },
  feedHome: { what: 'home feed, 200 friends, {posts} posts', unit: 'x', target: 20 },
  knowledgeSearch: {
    what: 'p99 of searches in 20,000 pieces of 50 agents, 16 at a time',
    unit: 'ms',
    target: 25,
  },
  knowledgeIndexing: {
    what: 'pieces of plain texts indexed',
    unit: 'a second',
    target: 5000,
    least: true,
  },
  knowledgeHold: {
    what: 'the event loop held while pages, a PDF and photos come in',
    unit: 'ms',
    target: 50,
  },
  listBytes: { what: 'tools/list, all tools', unit: 'kB', target: 250 },
  listBytesCore: { what: 'tools/list, ?toolsets=core', unit: 'kB', target: 60 },
} satisfies Record<string, Target>

export type Row = keyof typeof targets

// Object.keys forgets the names that the type of the table knows.
export const rows = Object.keys(targets) as Row[]

export type Verdict = 'met' | 'missed' | 'ALARM'

/** How a figure stands to its target. */
export function verdictOf(row: Row, value: number): Verdict {
  const { target, alarm = target, least }: Target = targets[row]
  const isWithin = (bound: number): boolean => (least ? value >= bound : value <= bound)
  if (isWithin(target)) return 'met'
  return alarm !== target && !isWithin(alarm) ? 'ALARM' : 'missed'
}
