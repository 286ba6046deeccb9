import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { copyId, copyWords } from '#adapters/compose/master-key.ts'
import { storeOfServer } from '#adapters/compose/server-store.ts'
import type { Config } from '#adapters/config/read.ts'
import { isOldNode, neededNode } from '#adapters/process/node.js'
import { openRuntimes } from '#adapters/shell/runtimes.ts'
import { hasStore } from '#adapters/store/open.ts'
import { diskOf, reserveOf } from '#adapters/store/space/watch.ts'
import { ill, well, wordsOf, type Line } from './line.ts'
import { clockLine } from './network.ts'

/** The Node that runs this. */
export function nodeLine(): Line {
  const { node } = process.versions
  if (!isOldNode(node)) return well('node', node)
  return ill('node', 'fail', node, `Take Node ${neededNode} or newer.`)
}

/** The store, its form and its clock. */
export async function storeLines(config: Config, env: NodeJS.ProcessEnv): Promise<Line[]> {
  const { dataDir: folder, mongodbUri: uri, masterKey } = config
  if (!hasStore({ uri, folder })) {
    const advice = 'The first start of the server makes it; if there is one already, mend DATA_DIR.'
    return [ill('store', 'warn', `there is none in ${folder}`, advice)]
  }
  try {
    if (uri === undefined) return await embedded(folder, masterKey !== undefined)
    const store = await storeOfServer(env)
    try {
      const begun = Date.now()
      const told = (await store.now()).getTime()
      const clock = clockLine('that of the database', told, begun, Date.now())
      return [well('store', 'the database answers, and has the master key'), clock]
    } finally {
      await store.close()
    }
  } catch (cause) {
    return [ill('store', 'fail', wordsOf(cause), 'Put that right first: no server starts on it.')]
  }
}

async function embedded(folder: string, isKeyGiven: boolean): Promise<Line[]> {
  const { formIn } = await import('#adapters/store/sqlite/use/form.ts')
  const { found, own, hasFact: isPart } = formIn(folder, copyId)
  if (isPart) {
    const advice = 'No server starts on it until then. It goes on with the same words as before.'
    return [ill('store', 'fail', copyWords, advice)]
  }
  const key = isKeyGiven || existsSync(join(folder, 'master.key'))
  const keyAdvice =
    'Put master.key of a backup there, or set ABODE_MASTER_KEY: what is sealed cannot be read else.'
  const says = `${folder}, form ${found}`
  return [
    found > own
      ? ill('store', 'fail', `${says}, newer than form ${own}`, 'Start the newer version of Abode.')
      : found < own
        ? ill(
            'store',
            'warn',
            `${says}, older than form ${own}`,
            'Back it up: the next start brings it up to date.',
          )
        : well('store', says),
    key ? well('master key', 'is there') : ill('master key', 'fail', 'is missing', keyAdvice),
  ]
}

/** The disk of the data folder. */
export async function diskLine({ dataDir, diskReserve }: Config): Promise<Line> {
  try {
    const disk = await diskOf(existsSync(dataDir) ? dataDir : '.')
    const reserve = diskReserve ?? reserveOf(disk)
    const says = `${Math.floor(disk.free / 2 ** 20)} MiB free of ${Math.floor(disk.all / 2 ** 20)}`
    const advice =
      'Make room: unclaimed accounts are refused writes while less than the reserve is free.'
    if (disk.free < reserve) return ill('disk', 'fail', says, advice)
    if (disk.free < 2 * reserve) {
      return ill('disk', 'warn', says, 'It is near the reserve: make room.')
    }
    return well('disk', says)
  } catch (cause) {
    return ill('disk', 'warn', wordsOf(cause), 'Look at DATA_DIR.')
  }
}

/** The sandbox of commands, tried where the runtime is on. */
export async function sandboxLine(config: Config): Promise<Line> {
  const { shellRuntime, containerRuntime } = config
  const isNeeded = shellRuntime || containerRuntime !== undefined
  if (!isNeeded) return well('sandbox', 'no runtime needs one')
  try {
    await openRuntimes(config)
    return well('sandbox', shellRuntime ? 'a command ran in it' : 'commands run in containers')
  } catch (cause) {
    return ill(
      'sandbox',
      'fail',
      wordsOf(cause),
      'Install bubblewrap and allow namespaces, or switch the runtime off.',
    )
  }
}
