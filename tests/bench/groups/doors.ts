import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { noteOutcomes, wanted, type Bench, type Group } from '../group.ts'
import { once, type Load } from '../load.ts'
import { bareLoads, productLoads } from '../loads.ts'
import { inRounds, twiceAtMost, type Entry } from '../rounds.ts'
import { startBare, startProduct, type Started } from '../servers.ts'
import { stockBare, stockedUrl, stockFolder } from '../stock.ts'
import { targetOf, type Row } from '../table/targets.ts'
import { mixed } from './mixed.ts'

/** The size of answer that the target of tools/list speaks of. */
const listBytes = 142_000

/** The product and the handler by hand, with the same documents. */
interface Servers {
  bare: Started
  product: Started
  loads: ReturnType<typeof productLoads>
  bareLoads: ReturnType<typeof bareLoads>
}

/** One request at each door, over the same work by hand. */
export const doors: Group = {
  name: 'doors',
  measure: (bench) => onServers(bench, (servers) => measureLoads(bench, servers)),
}

/** Writes while lists load the same server. */
export const writesAmongLists: Group = {
  name: 'mixed',
  measure: (bench) => onServers(bench, (servers) => measureMixed(bench, servers)),
}

/** How long the lists of tools are, which a model reads. */
export const tokens: Group = {
  name: 'tokens',
  measure: (bench) =>
    onServers(bench, async ({ product, loads }) => {
      const kB = async (load: Load) => Buffer.byteLength(await once(product, load)) / 1000
      bench.note('listBytes', await kB(loads.mcpList))
      bench.note('listBytesCore', await kB(loads.mcpListCore))
    }),
}

/** Both servers on the same documents, for as long as the work takes. */
async function onServers(
  { folder, say }: Bench,
  work: (servers: Servers) => Promise<void>,
): Promise<void> {
  say('storing agents')
  const own = await mkdir(join(folder, `doors-${(folders += 1)}`, 'bare'), { recursive: true })
  const [ours, theirs] = [join(own ?? folder, 'product'), join(own ?? folder, 'bare')]
  const keys = await stockFolder(ours)
  await stockBare(theirs, ours, keys)
  const bare = await startBare('handler', theirs)
  const product = await startProduct(ours, { PUBLIC_URL: stockedUrl })
  try {
    await work({ bare, product, loads: productLoads(keys), bareLoads: bareLoads() })
  } finally {
    await Promise.all([bare.end(), product.end()])
  }
}

let folders = 0

async function measureLoads(bench: Bench, servers: Servers): Promise<void> {
  const rows = wanted(bench, 'doors')
  const { echo, pace, say } = bench
  const found = await inRounds(entriesOf(rows, servers), await echo(), pace, say)
  const list = found.get('mcpList')
  if (list && list.fault === undefined) {
    const bytes = Buffer.byteLength(await once(servers.product, servers.loads.mcpList))
    list.figures.x /= bytes / listBytes
  }
  noteOutcomes(bench, rows, found)
}

/** Each load once, with every floor that one of its rows names. */
function entriesOf(rows: readonly Row[], servers: Servers): Entry[] {
  const { product, bare } = servers
  const known = new Map<string, Entry>([
    ...entriesOn(product, Object.entries(servers.loads)),
    ...entriesOn(bare, Object.entries(servers.bareLoads)),
  ])
  const entry = (name: string): Entry => {
    const found = known.get(name)
    if (!found) throw new Error(`there is no load ${name}`)
    return found
  }
  const byLoad = Map.groupBy(rows, (row) => targetOf(row).load)
  return [...byLoad].map(([load, rows]) => {
    const floors = new Set(rows.flatMap((row) => targetOf(row).floor ?? []))
    return { ...entry(load), floors: [...floors].map(entry) }
  })
}

function entriesOn(subject: Started, loads: readonly [string, Load][]): [string, Entry][] {
  return loads.map(([name, load]) => [name, { name, subject, load }])
}

async function measureMixed(bench: Bench, servers: Servers): Promise<void> {
  const { product, bare, loads } = servers
  const { bareCreate, bareList } = servers.bareLoads
  bench.say('create and list together')
  const ours = { subject: product, writes: loads.create, lists: loads.list }
  const theirs = { subject: bare, writes: bareCreate, lists: bareList }
  bench.note('mixedP99', await twiceAtMost(() => mixed(ours, theirs, bench.pace)))
}
