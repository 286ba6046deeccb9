import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { boot } from './boot.ts'
import { commons } from './commons.ts'
import { feed } from './feed.ts'
import { knowledge } from './knowledge.ts'
import { large } from './large.ts'
import { once, type Subject } from './load.ts'
import { bareLoads, productLoads } from './loads.ts'
import { canMeasure } from './measure.ts'
import { mixed } from './mixed.ts'
import { summaryOf, tableOf, type Aside, type Result } from './report.ts'
import { inRounds, twiceAtMost, type Figures, type Outcome, type Pace } from './rounds.ts'
import { schedules } from './schedules.ts'
import { startBare, startProduct, type Started } from './servers.ts'
import { stockBare, stockFolder } from './stock.ts'
import { rows, type Row } from './targets.ts'

const { values: options } = parseArgs({
  options: {
    /** A fifth of the time, for figures that are only roughly right. */
    quick: { type: 'boolean', default: false },
    /** The rows about the Commons alone. */
    commons: { type: 'boolean', default: false },
    /** The rows about feeds alone. */
    feed: { type: 'boolean', default: false },
    /** The rows about knowledge alone. */
    knowledge: { type: 'boolean', default: false },
    /** The table as Markdown. */
    markdown: { type: 'boolean', default: false },
  },
})
const pace: Pace = options.quick
  ? { rounds: 1, slice: 0.8, echo: 0.4, warmUp: 0.6 }
  : { rounds: 3, slice: 1.5, echo: 0.5, warmUp: 1 }
const many = options.quick ? 10_000 : 100_000
const burst = options.quick ? 1000 : 10_000
/** The size of answer that the target of tools/list speaks of. */
const listBytes = 142_000

const results = new Map<Row, Result>()
const asides: Aside[] = []
const say = (text: string): void => void process.stderr.write(`${text}\n`)

function note(row: Row, result: Result | number): void {
  results.set(row, typeof result === 'number' ? { value: result } : result)
}

/** Where it fails, its rows say why, and the others are measured all the same. */
async function section(rows: readonly Row[], work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    for (const row of rows) if (!results.has(row)) note(row, { fault: String(cause) })
  }
}

async function measureBoot(): Promise<void> {
  say('starting')
  const { first, later, idle } = await twiceAtMost(() => boot(options.quick ? 1 : 5))
  note('bootFirst', first)
  note('bootLater', later)
  note('idle', idle)
}

const loadRows = [
  'read',
  'list',
  'create',
  'createKeyed',
  'run',
  'runAwaited',
  'mcpCall',
  'mcpList',
  'mcpCallLegacy',
  'a2aDirect',
  'a2aMessage',
  'a2aAgent',
] as const

interface Servers {
  echo: Started
  bare: Started
  product: Started
  loads: ReturnType<typeof productLoads>
}

async function measureLoads({ echo, bare, product, loads }: Servers): Promise<void> {
  const onProduct = [...loadRows, 'listWithTasks', 'mcpListCore'] as const
  const onBare = Object.entries(bareLoads())
  const found = await inRounds(
    [
      ...onProduct.map((name) => ({ name, subject: product, load: loads[name] })),
      ...onBare.map(([name, load]) => ({ name, subject: bare, load })),
    ],
    echo,
    pace,
    say,
  )
  const bytes = await measureBytes(product, loads)
  for (const row of loadRows) {
    const size = row === 'mcpList' ? bytes / listBytes : 1
    note(
      row,
      valueOf(found.get(row), ({ x }) => x / size),
    )
  }
  note(
    'runsASecond',
    valueOf(found.get('runAwaited'), ({ aSecond }) => aSecond),
  )
  noteRatio('readP99', found.get('read'), found.get('bareRead'))
  noteRatio('listP99', found.get('list'), found.get('bareList'))
  noteRatio('createP99', found.get('create'), found.get('bareCreate'))
  aside('list 20 agents with two tasks each, REST', found.get('listWithTasks'))
  aside('MCP tools/list, ?toolsets=core', found.get('mcpListCore'))
  aside('bare handler: read', found.get('bareRead'))
  aside('bare handler: list', found.get('bareList'))
  aside('bare handler: create', found.get('bareCreate'))
}

function valueOf(outcome: Outcome | undefined, pick: (figures: Figures) => number): Result {
  if (!outcome) return { fault: 'nothing was measured' }
  if (outcome.fault !== undefined) return { fault: outcome.fault }
  return { value: pick(outcome.figures), figures: outcome.figures }
}

function noteRatio(row: Row, ours: Outcome | undefined, bare: Outcome | undefined): void {
  const bound = valueOf(bare, ({ p99 }) => p99)
  const result = valueOf(ours, ({ p99 }) => p99)
  if ('fault' in bound || 'fault' in result) note(row, 'fault' in bound ? bound : result)
  else note(row, result.value / bound.value)
}

function aside(what: string, outcome: Outcome | undefined): void {
  if (outcome && outcome.fault === undefined) asides.push({ what, figures: outcome.figures })
}

async function measureBytes(product: Subject, loads: Servers['loads']): Promise<number> {
  const all = Buffer.byteLength(await once(product, loads.mcpList))
  note('listBytes', all / 1000)
  note('listBytesCore', Buffer.byteLength(await once(product, loads.mcpListCore)) / 1000)
  return all
}

async function measureMixed({ product, bare, loads }: Servers): Promise<void> {
  say('create and list together')
  const { bareCreate, bareList } = bareLoads()
  const ours = { subject: product, writes: loads.create, lists: loads.list }
  const theirs = { subject: bare, writes: bareCreate, lists: bareList }
  const [p99, bound] = await twiceAtMost(() => mixed(ours, theirs, pace))
  note('mixedP99', p99 / bound)
}

const largeRows = ['largeRead', 'largeList', 'largeCreate', 'largeMemory'] as const

async function measureLarge(folder: string, echo: Subject): Promise<void> {
  const { ratios, memory } = await large(folder, many, echo, pace, say)
  const result = (value: number | string) => (typeof value === 'string' ? { fault: value } : value)
  note('largeRead', result(ratios.read))
  note('largeList', result(ratios.list))
  note('largeCreate', result(ratios.create))
  note('largeMemory', memory)
}

async function measureSchedules(folder: string): Promise<void> {
  const found = await schedules(join(folder, 'schedules'), many, burst, say)
  note('idleLook', found.idle)
  note('burst', found.burst)
  note('latest', found.latest)
  note('week', found.week)
}

const commonsRows = [
  'commonsPage',
  'commonsThread',
  'commonsVote',
  'commonsPageGrowth',
  'commonsThreadGrowth',
  'commonsVoteGrowth',
  'commonsSearch',
  'commonsSearchRead',
  'commonsJoin',
] as const

async function measureCommons(folder: string, echo: Subject): Promise<void> {
  const { loads, ratios, ...search } = await commons(folder, many, echo, pace, say)
  const result = (value: number | string) => (typeof value === 'string' ? { fault: value } : value)
  const cost = (outcome: Outcome) => valueOf(outcome, ({ x }) => x)
  note('commonsPage', cost(loads.page))
  note('commonsThread', cost(loads.thread))
  note('commonsVote', cost(loads.vote))
  note('commonsJoin', cost(loads.join))
  note('commonsPageGrowth', result(ratios.page))
  note('commonsThreadGrowth', result(ratios.thread))
  note('commonsVoteGrowth', result(ratios.vote))
  note('commonsSearch', search.searchP99)
  note('commonsSearchRead', search.longestRead)
}

const feedRows = ['feedHome'] as const

async function measureFeed(folder: string, echo: Subject): Promise<void> {
  const { busy, quiet } = await feed(folder, 10 * many, echo, pace, say)
  note(
    'feedHome',
    valueOf(busy, ({ x }) => x),
  )
  aside('home feed, the friends long silent', quiet)
}

const knowledgeRows = ['knowledgeSearch', 'knowledgeIndexing', 'knowledgeHold'] as const

async function measureKnowledge(folder: string): Promise<void> {
  const found = await knowledge(join(folder, 'knowledge'), pace, say)
  note('knowledgeSearch', found.searchP99)
  note('knowledgeIndexing', found.chunksASecond)
  note('knowledgeHold', found.longestHold)
}

async function measureServers(folder: string): Promise<void> {
  await mkdir(join(folder, 'bare'))
  const keys = await stockFolder(join(folder, 'product'))
  await stockBare(join(folder, 'bare'), join(folder, 'product'), keys)
  const echo = await startBare('echo')
  const bare = await startBare('handler', join(folder, 'bare'))
  const product = await startProduct(join(folder, 'product'))
  try {
    const servers = { echo, bare, product, loads: productLoads(keys) }
    await section([...loadRows, 'runsASecond'], () => measureLoads(servers))
    await section(['mixedP99'], () => measureMixed(servers))
    await product.end()
    await section(largeRows, () => measureLarge(folder, echo))
    await section(commonsRows, () => measureCommons(folder, echo))
    await section(feedRows, () => measureFeed(folder, echo))
  } finally {
    await Promise.all([echo.end(), bare.end(), product.end()])
  }
}

async function measureAll(folder: string): Promise<void> {
  await section(['bootFirst', 'bootLater', 'idle'], measureBoot)
  // Before this process has grown: collecting its own garbage, it would take the cores from the server.
  await section(knowledgeRows, () => measureKnowledge(folder))
  await section(['idleLook', 'burst', 'latest', 'week'], () => measureSchedules(folder))
  await section(rows, () => measureServers(folder))
}

async function measureCommonsAlone(folder: string): Promise<void> {
  const echo = await startBare('echo')
  try {
    await section(commonsRows, () => measureCommons(folder, echo))
  } finally {
    await echo.end()
  }
}

async function measureFeedAlone(folder: string): Promise<void> {
  const echo = await startBare('echo')
  try {
    await section(feedRows, () => measureFeed(folder, echo))
  } finally {
    await echo.end()
  }
}

function askedRows(): readonly Row[] {
  if (options.knowledge) return knowledgeRows
  return options.commons ? commonsRows : options.feed ? feedRows : rows
}

async function main(): Promise<void> {
  const begun = performance.now()
  const about = [
    `Node ${process.versions.node}`,
    `${cpus().length} x ${cpus()[0]?.model ?? 'an unknown processor'}`,
    `load ${loadavg().map((load) => load.toFixed(1))[0]} at the start`,
  ]
  const folder = await mkdtemp(join(tmpdir(), 'abode-bench-'))
  try {
    if (options.commons) await measureCommonsAlone(folder)
    else if (options.feed) await measureFeedAlone(folder)
    else if (options.knowledge) await section(knowledgeRows, () => measureKnowledge(folder))
    else await measureAll(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  about.push(`${((performance.now() - begun) / 1000).toFixed(0)} s`)
  console.log(tableOf({ results, asides, many, burst, about: about.join(', ') }, options.markdown))
  console.log(`\n${about.join(', ')}\n${summaryOf({ results })}`)
  // A row that is missed says so; only one that could not be measured is a failure.
  const isWhole = askedRows().every((row) => 'value' in (results.get(row) ?? {}))
  process.exitCode = isWhole ? 0 : 1
}

if (canMeasure) await main()
else {
  console.error('The bench reads CPU time and memory from /proc, which only Linux has.')
  process.exitCode = 1
}
