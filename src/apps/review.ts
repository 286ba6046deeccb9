import type { Reach } from '#src/agents/access.ts'
import type { Ports } from '#src/core/context.ts'
import { edgeId } from '#src/agents/friends/edge.ts'
import { listens } from '#src/runs/triggers/listens.ts'
import { refuse } from '#src/core/errors.ts'
import {
  checkSteps,
  firstFaults,
  outsideReferences,
  shareSteps,
  type CheckedManifest,
  type Finding,
} from './check.ts'
import type { Manifest } from './manifest.ts'
import { manifestHint } from './mended.ts'
import { parseSteps } from './parsed.ts'
import { tooManySteps } from './task-bound.ts'
import type { Share } from './inspection.ts'
import { messageCall } from '#src/agents/tasks/calls.ts'
import { inPortions } from '#src/core/turns/portions.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import { lookedUp } from '#src/agents/tasks/references/look-up.ts'
import { tasksOf } from '#src/agents/tasks/tasks-of.ts'

const asksAtMost = 1000

/** Checks a manifest in its surroundings: agents outside of it that it names are looked up. */
export async function review(
  reach: Reach & Pick<Ports, 'clock' | 'sender'>,
  raw: unknown,
): Promise<CheckedManifest> {
  const { sender, clock } = reach
  const tooMany = await inPortions(tooManySteps(raw), clock)
  if (tooMany.length > 0) return { findings: tooMany }
  const parsed = await inPortions(parseSteps(raw), clock)
  const faults = firstFaults(raw, parsed)
  if (faults) return { findings: faults }
  await turnOf(clock)
  const known = await lookedUp(reach, outsideReferences(raw))
  await turnOf(clock)
  const shares = await inPortions(shareSteps(raw), clock)
  const unheard = await unheardOf(reach, shares.slice(0, asksAtMost))
  const surroundings = {
    objection: (url: string) => sender.objection(url),
    known,
    now: clock.now(),
    isUnheard: ({ from, to }: Share) => unheard.has(edgeId(from, to)),
  }
  return inPortions(checkSteps(raw, surroundings, parsed), clock)
}

/**
 * The checked manifest. @throws Refusal `manifest_invalid` with every error, including further ones
 * @param raw as it was sent
 * @param further findings that only the app it is for shows
 */
export function soundManifest(
  raw: unknown,
  { manifest, findings }: CheckedManifest,
  further: readonly Finding[] = [],
): Manifest {
  const errors = [...findings, ...further].filter(({ severity }) => severity === 'error')
  if (manifest && errors.length === 0) return manifest
  return refuse(
    'manifest_invalid',
    `The manifest has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}.`,
    {
      errors,
      hint: manifestHint(raw, errors),
    },
  )
}

/** Shares that no task of the caller's own agents listens to; nothing is said of other accounts' agents. */
async function unheardOf(
  { store, clock, caller }: Reach & Pick<Ports, 'clock'>,
  shares: readonly Share[],
): Promise<ReadonlySet<string>> {
  const unheard = new Set<string>()
  if (shares.length === 0) return unheard
  const named = [...new Set(shares.map(({ to }) => to))]
  const rows = await store.characters.text({ id: { $in: named }, owner_id: caller.accountId })
  const own = rows.map((row) => row.id)
  const tasks = await tasksOf({ store, clock }, own, { awaited_calls: { $all: [messageCall] } })
  const heard = Map.groupBy(tasks, (task) => task.char_id)
  for (const { from, to } of shares) {
    if (!own.includes(to)) continue
    const hears = (heard.get(to) ?? []).map((task) => listens(store, task, from))
    if (!(await Promise.all(hears)).includes(true)) unheard.add(edgeId(from, to))
  }
  return unheard
}
