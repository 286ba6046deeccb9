import { join } from 'node:path'
import { agentsStored } from './documents.ts'
import type { Subject } from './load.ts'
import { productLoads } from './loads.ts'
import { quiet, residentMiB } from './measure.ts'
import { inRounds, type Outcome, type Pace } from './rounds.ts'
import { startProduct, type Started } from './servers.ts'
import { stockFolder } from './stock.ts'

const names = ['read', 'list', 'create'] as const

/** What many stored agents cost, over what few do. */
export interface Large {
  /** CPU with many over CPU with few, or why it could not be measured. */
  ratios: Record<(typeof names)[number], number | string>
  /** MiB of resident memory more, after the same loads. */
  memory: number
}

/** @param many how many agents, with two tasks each, are "many" */
export async function large(
  folder: string,
  many: number,
  echo: Subject,
  pace: Pace,
  say: (text: string) => void,
): Promise<Large> {
  say(`storing ${many} agents`)
  const few = await started(join(folder, 'few'), agentsStored)
  const lot = await started(join(folder, 'many'), many)
  try {
    const entries = names.flatMap((name) => [
      { name: `${name} of few`, subject: few.server, load: few.loads[name] },
      { name: `${name} of many`, subject: lot.server, load: lot.loads[name] },
    ])
    const found = await inRounds(entries, echo, pace, say)
    await Promise.all([quiet(few.server.pid), quiet(lot.server.pid)])
    const ratio = (name: string) => over(found.get(`${name} of many`), found.get(`${name} of few`))
    return {
      ratios: { read: ratio('read'), list: ratio('list'), create: ratio('create') },
      memory: residentMiB(lot.server.pid) - residentMiB(few.server.pid),
    }
  } finally {
    await Promise.all([few.server.end(), lot.server.end()])
  }
}

async function started(folder: string, agents: number) {
  const keys = await stockFolder(folder, agents)
  const server: Started = await startProduct(folder)
  const { listWithTasks: list, ...loads } = productLoads(keys, agents)
  return { server, loads: { ...loads, list } }
}

function over(many: Outcome | undefined, few: Outcome | undefined): number | string {
  if (many?.fault !== undefined) return many.fault
  if (few?.fault !== undefined) return few.fault
  return many && few ? many.figures.x / few.figures.x : 'nothing was measured'
}
