import * as z from 'zod'
import type { FaultItem } from '#src/core/errors.ts'
import { corrected } from '#src/core/input/corrected.ts'
import { Members } from '#src/core/input/member-meant.ts'
import { newEffort } from '#src/core/input/nearest.ts'
import { shapeOf, type Shape } from '#src/core/input/unknown-members.ts'
import { isMap } from '#src/core/maps.ts'
import { uncheckedDocument } from '#src/core/schema.ts'
import { pointerStep, stepOf } from '#src/core/text/text.ts'
import { call } from '#src/core/words/reference.ts'
import { Manifest } from './manifest.ts'

/** The least that is a manifest. */
const least = {
  manifest_version: 1,
  app_id: 'newsroom',
  name: 'Newsroom',
  agents: [{ local_id: 'researcher', name: 'Rosa' }],
}

/** A call with the manifest put right, which changes nothing; it is not guessed what is left out. */
const validation = {
  name: 'agent_apps.validate',
  example: { manifest: least },
  input: z.strictObject({ manifest: uncheckedDocument(Manifest) }),
  http: { method: 'POST', path: '/api/agent-apps/validate' },
} as const

const shape = shapeOf(Manifest)
/** Of an object that lacks a member, so many others are compared with it. */
const comparedAtMost = 50

/** What to do about a manifest with errors: it is shown put right where that is certain and short. */
export function manifestHint(raw: unknown, errors: readonly FaultItem[]): string {
  const own = mended(raw, errors)
  if (own) return `Nothing was changed. For example: ${call(validation.name, own)}.`
  const smallest = call(validation.name, validation.example)
  return `Nothing was changed. ${call(validation.name)} finds what is left once these are corrected, warnings too. The least that works: ${smallest}.`
}

function mended(raw: unknown, errors: readonly FaultItem[]): Record<string, unknown> | undefined {
  const faults = [...errors, ...misnamed(raw, errors)].map((fault) => ({
    ...fault,
    pointer: `/manifest${fault.pointer}`,
  }))
  const put = corrected(validation, { manifest: raw }, faults)
  const read = Manifest.safeParse(put?.['manifest'])
  if (!read.success) return undefined
  const { agents, connections } = read.data
  const edges = connections.map(({ from, to }) => `${from} ${to}`)
  const isSound =
    areOnce(agents.map(({ local_id }) => local_id)) &&
    areOnce(edges) &&
    connections.every(({ from, to }) => from !== to)
  return isSound ? put : undefined
}

function areOnce(names: readonly string[]): boolean {
  return new Set(names).size === names.length
}

/** Members under another name than that of one which is missing. */
function misnamed(raw: unknown, errors: readonly FaultItem[]): FaultItem[] {
  const effort = newEffort()
  return errors.flatMap(({ pointer }) => {
    const steps = pointer.split('/').slice(1).map(stepOf)
    const missing = steps.pop()
    const holder = valueAt(raw, steps)
    if (missing === undefined || !isMap(holder) || Object.hasOwn(holder, missing)) return []
    const known = shapeAt(steps)?.members
    const lacking = new Members([missing])
    const name = Object.keys(holder)
      .slice(0, comparedAtMost)
      .find((one) => known?.has(one) === false && lacking.meant(one, effort) === missing)
    if (name === undefined) return []
    const at = [...steps, name].map(pointerStep).join('')
    return [{ pointer: at, message: '', code: 'unknown_member', suggestion: missing }]
  })
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  let at = value
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    // Any object or list holds its own members by name.
    at = (at as Readonly<Record<string, unknown>>)[step]
  }
  return at
}

function shapeAt(steps: readonly string[]): Shape | undefined {
  let at = shape
  for (const step of steps) at = at?.item ?? at?.members.get(step)
  return at
}
