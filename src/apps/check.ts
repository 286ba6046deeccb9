import * as z from 'zod'
import { platformMembersOfCharacter } from '#src/agents/character.ts'
import { permissions } from '#src/agents/known.ts'
import { isCharacterId } from '#src/agents/name.ts'
import { noteLoops, type Circle } from '#src/agents/tasks/references/loops.ts'
import { noteCharacter, platformMembers } from '#src/agents/warnings.ts'
import { shapeOf, unknownMembers } from '#src/core/input/unknown-members.ts'
import { atOnce, type Steps } from '#src/core/turns/portions.ts'
import { faultsOf } from '#src/core/input/validate.ts'
import type { Warning } from '#src/core/schema.ts'
import { tasksAtMost } from '#src/agents/heart.ts'
import { Notices, type Objection } from '#src/agents/tasks/notices.ts'
import type { Asked, Known } from '#src/agents/tasks/references/look-up.ts'
import type { Share } from './inspection.ts'
import { appEvents } from '#src/agents/app/vocabulary.ts'
import { Connection } from '#src/agents/app/app.ts'
import { AgentSpec, Manifest, WebhookSpec } from './manifest.ts'
import { items, members } from '#src/core/input/loose.ts'
import { outlineOf } from './outline.ts'
import { parseSteps, type ParsedManifest } from './parsed.ts'
import { maskedSteps, referenceSteps } from './references.ts'
import { askedOf } from './task-references.ts'

const manifestShape = shapeOf(Manifest)
const agentShape = shapeOf(AgentSpec)
/** Members that the schemas do not name, and that have a finding of their own. */
const toldElsewhere = { ...platformMembers, AgentAppSecretSpec: ['value'] }

export const Finding = z
  .looseObject({
    severity: z.enum(['error', 'warning']),
    code: z.string(),
    pointer: z.string().describe('JSON Pointer into the manifest'),
    message: z.string(),
    suggestion: z.string().optional(),
  })
  .meta({ id: 'Finding' })
/** An error in a manifest, or something in it that may not do what was meant. */
export type Finding = z.infer<typeof Finding>

export interface ManifestSurroundings {
  objection: Objection
  /** What is known of what `outsideReferences` names. */
  known?: Known
  /** Whether it is known that no task of the receiver of one of `outsideShares` listens. */
  isUnheard?: (share: Share) => boolean
  /** When it is checked: fires are looked at from then on, and not at all without it. */
  now?: Date
}

export interface CheckedManifest {
  /** The manifest with its defaults, unless a finding is an error. */
  manifest?: Manifest
  /** Errors first, at most a thousand of each kind. */
  findings: Finding[]
}

/** The faults of a manifest that is too large to look for all of them; undefined for any other. */
export function firstFaults(raw: unknown, parsed: ParsedManifest): Finding[] | undefined {
  if (!parsed.issues || !parsed.isCut) return undefined
  const errors = new Notices(() => undefined)
  noteFaults(errors, raw, parsed.issues)
  return distinct(errors).map((notice): Finding => ({ severity: 'error', ...notice }))
}

/** Checks a manifest and returns all of its findings at once. */
export function checkManifest(raw: unknown, surroundings: ManifestSurroundings): CheckedManifest {
  return atOnce(checkSteps(raw, surroundings, atOnce(parseSteps(raw))))
}

/** The same in steps, once it is parsed. */
export function* checkSteps(
  raw: unknown,
  surroundings: ManifestSurroundings,
  parsed: ParsedManifest,
): Steps<CheckedManifest> {
  const errors = new Notices(surroundings.objection)
  const warnings = new Notices(surroundings.objection)
  if (parsed.issues) noteFaults(errors, raw, parsed.issues)
  const { known = nothing, isUnheard = () => false } = surroundings
  yield
  yield* referenceSteps({ outline: outlineOf(raw), errors, warnings, known, isUnheard })
  yield* maskedSteps(errors, raw)
  yield
  if (members(raw) === raw) yield* meaningSteps(warnings, members(raw), parsed.data, surroundings)
  yield
  yield* unknownSteps(warnings, raw)
  const findings = [
    ...distinct(errors).map((notice): Finding => ({ severity: 'error', ...notice })),
    ...distinct(warnings).map((notice): Finding => ({ severity: 'warning', ...notice })),
  ]
  return parsed.data && errors.all.length === 0 ? { manifest: parsed.data, findings } : { findings }
}

/** Knows of no agent and no secret. */
const nothing: Known = {
  standing: () => 'missing',
  hasTask: () => undefined,
  hasSecret: () => false,
  isOwn: () => false,
  persons: 1,
  own: [],
}

/** What the agents of a manifest name outside of it; the caller looks up what exists. */
export function outsideReferences(raw: unknown): Asked[] {
  return askedOf(outlineOf(raw))
}

/** What is shared with agents outside of a manifest without naming one of their tasks. */
export function* shareSteps(raw: unknown): Steps<Share[]> {
  const asked: Share[] = []
  const notices = new Notices(() => undefined)
  const isUnheard = (share: Share): boolean => asked.push(share) === 0
  const about = { errors: notices, warnings: notices, known: nothing, isUnheard }
  yield* referenceSteps({ outline: outlineOf(raw), ...about })
  return asked.filter(({ to }) => isCharacterId(to))
}

/** The findings that do not prevent provisioning, as warnings of its answer. */
export function warningsOf(findings: readonly Finding[]): Warning[] {
  return findings
    .filter((finding) => finding.severity === 'warning')
    .map(({ severity: _severity, ...warning }) => warning)
}

/** Every fault of the schema; a wrong choice gets the nearest right one as suggestion. */
function noteFaults(errors: Notices, raw: unknown, issues: readonly z.core.$ZodIssue[]): void {
  for (const issue of issues) {
    const [fault] = faultsOf([issue], [])
    if (!fault) continue
    const value = issue.code === 'invalid_value' ? valueAt(raw, issue.path) : undefined
    const choices = issue.code === 'invalid_value' ? issue.values.map(String) : []
    const meant = typeof value === 'string' ? errors.suggest(value, choices) : undefined
    errors.add(fault.code, fault.pointer, fault.message, meant)
  }
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw
  for (const step of path) {
    value = Array.isArray(value) ? value[Number(step)] : members(value)[String(step)]
  }
  return value
}

const ignoredOfAgents = platformMembersOfCharacter.filter((name) => name !== 'local_id')

/** Warnings about each part that can be read, even if other parts are wrong. */
function* meaningSteps(
  warnings: Notices,
  raw: Readonly<Record<string, unknown>>,
  whole: Manifest | undefined,
  { now }: Pick<ManifestSurroundings, 'now'>,
): Steps<void> {
  if (!Object.hasOwn(raw, 'manifest_version')) {
    const message = 'The manifest has no version; version 1 is assumed.'
    warnings.add('manifest_version_missing', '/manifest_version', message)
  }
  const sent = items(raw.agents)
  const agents = whole?.agents ?? sent.map((item) => AgentSpec.safeParse(item).data)
  let tasks = 0
  for (const [i, agent] of agents.entries()) {
    if (!agent) continue
    yield
    // A look at the fires of a task may take a third of a millisecond.
    const looksAtFires = now && tasks < tasksAtMost
    const known = { sent: sent[i], ...(looksAtFires && { now }) }
    noteCharacter(warnings, agent, `/agents/${i}`, known)
    tasks += agent.heart?.tasks.length ?? 0
    warnings.ignored(ignoredOfAgents, agent, undefined, `/agents/${i}`)
  }
  yield
  noteLoops(
    warnings,
    agents.flatMap((agent, i) => (agent ? [circleOf(agent, i, raw.app_id)] : [])),
  )
  const connections =
    whole?.connections ?? items(raw.connections).map((item) => Connection.safeParse(item).data)
  for (const [i, connection] of connections.entries()) {
    for (const [j, permission] of (connection?.permissions ?? []).entries()) {
      const pointer = `/connections/${i}/permissions/${j}`
      warnings.unless(permissions, permission, pointer, 'it allows nothing')
    }
  }
  const webhook = whole ? whole.webhook : WebhookSpec.safeParse(raw.webhook).data
  warnings.address(webhook?.url, '/webhook/url')
  warnings.signedByAnyone(webhook?.secret, '/webhook/secret')
  for (const [i, event] of (webhook?.events ?? []).entries()) {
    warnings.unless(appEvents, event, `/webhook/events/${i}`, 'it is never sent')
  }
}

function circleOf(agent: AgentSpec, position: number, appId: unknown): Circle {
  const at = `/agents/${position}`
  const tasks = agent.heart?.tasks ?? []
  return {
    charId: agent.id ?? `${String(appId)}--${agent.local_id}`,
    localId: agent.local_id,
    hooks: agent.brain?.hooks ?? [],
    hooksAt: `${at}/brain/hooks`,
    tasks: tasks.map((task, i) => ({ task, at: `${at}/heart/tasks/${i}` })),
  }
}

/** Warnings about members that nothing acts on: those of the agents first, agent by agent. */
function* unknownSteps(warnings: Notices, raw: unknown): Steps<void> {
  const { agents, ...others } = members(raw)
  for (const [i, agent] of items(agents).entries()) {
    yield
    const unknown = unknownMembers(agentShape, agent, { at: `/agents/${i}` })
    yield* warnings.unactedSteps(unknown, toldElsewhere)
  }
  yield* warnings.unactedSteps(unknownMembers(manifestShape, others), toldElsewhere)
}

function distinct({ all }: Notices): Notices['all'] {
  const seen = new Set<string>()
  return all.filter(({ pointer, code }) => {
    const key = `${code} ${pointer}`
    return !seen.has(key) && seen.add(key)
  })
}
