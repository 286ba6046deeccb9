import type { Sealer } from '#src/core/seal.ts'
import { pointerTo } from '#src/core/text/text.ts'
import { copySteps } from '#src/core/input/copy-steps.ts'
import { items, members, textOf } from '#src/core/input/loose.ts'
import type { Steps } from '#src/core/turns/portions.ts'
import { webhookSecretPointer } from '#src/agents/app/vocabulary.ts'
import { anyPlaceSteps, secretPlaces, type SecretPlace } from '../secrets.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { settingsOf } from '#src/agents/sealed/keep.ts'
import { keptSettings, keptTools, type KeptSettings, type Tooled } from '#src/agents/sealed/take.ts'
import { secretsOf } from '#src/agents/tasks/replace-tasks.ts'
import { keptSecret, secretMask, type Kept, type TaskSecrets } from '#src/agents/tasks/secrets.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Trigger } from '#src/agents/tasks/trigger.ts'

/** What the masks of a manifest stand for. */
export interface KeptManifest {
  /** The manifest that was applied last, masked. */
  masked: unknown
  /** Its secrets by their pointers. */
  secrets: Readonly<Record<string, string>>
}

/** The current tasks and settings of an app's agents, by the local id of the agent. */
export interface Live {
  /** Oldest first. */
  tasks: ReadonlyMap<string, readonly StoredTask[]>
  agents: ReadonlyMap<string, StoredCharacter>
}

/**
 * A manifest with secrets in place of their masks: those of the manifest that was applied last, else those
 * of the agent or its task. A mask without a secret stays, and is an error when the manifest is checked.
 * The input is not changed.
 */
export function* unmaskSteps(
  raw: unknown,
  kept: KeptManifest,
  live: Live,
  sealer: Sealer,
): Steps<unknown> {
  const isMask = ({ holder, name }: SecretPlace): boolean => holder[name] === secretMask
  if (!(yield* anyPlaceSteps(raw, isMask))) return raw
  const whole = yield* copySteps(raw)
  const known = { masked: kept.masked, owned: yield* ownedSteps(kept.secrets), live, sealer }
  const settings = settingsFor(whole, known)
  const tools = toolsFor(whole, known)
  const triggers = triggersFor(whole, known)
  for (const place of secretPlaces(whole)) {
    yield
    if (!isMask(place)) continue
    const { trigger, setting, tool } = place
    const secret = trigger
      ? triggers(trigger)
      : setting
        ? settings(setting)
        : tool
          ? tools(tool)
          : kept.secrets[webhookSecretPointer]
    if (secret !== undefined) place.holder[place.name] = secret
  }
  return whole
}

/** Secrets by the pointer of the agent or task of a manifest that they are in, and by theirs from there. */
type Owned = ReadonlyMap<string, Readonly<Record<string, string>>>

interface Known {
  masked: unknown
  owned: Owned
  live: Live
  sealer: Sealer
}

const ownerIn = /^\/agents\/\d+(?:\/heart\/tasks\/\d+)?(?=\/)/

/** Sorts the secrets of a manifest once: it may have tens of thousands. */
function* ownedSteps(secrets: KeptManifest['secrets']): Steps<Owned> {
  const owned = new Map<string, Record<string, string>>()
  for (const [pointer, secret] of Object.entries(secrets)) {
    yield
    const [owner = ''] = ownerIn.exec(pointer) ?? []
    const own = owned.get(owner) ?? {}
    own[pointer.slice(owner.length)] = secret
    owned.set(owner, own)
  }
  return owned
}

/** Finds the secrets of settings: in the manifest that was applied last, else in the agent. */
function settingsFor(
  raw: unknown,
  { masked, owned, live, sealer }: Known,
): (setting: NonNullable<SecretPlace['setting']>) => string | undefined {
  const sent = items(members(raw).agents)
  const before = items(members(masked).agents)
  // Once per agent, however many secrets it has.
  const finders = new Map<number, ReturnType<typeof keptSettings>[]>()
  const findersOf = (a: number): ReturnType<typeof keptSettings>[] => {
    const localId = textOf(members(sent[a]).local_id)
    if (localId === undefined) return []
    const at = before.findIndex((one) => members(one).local_id === localId)
    const now = live.agents.get(localId)
    return [
      keptSettings(
        at < 0
          ? undefined
          : { agent: settingsIn(before[at]), secrets: within(owned, ['agents', at]) },
      ),
      keptSettings(now && { agent: now, secrets: settingsOf(now, sealer) }),
    ]
  }
  return ({ agent, place }) => {
    const known = finders.get(agent) ?? findersOf(agent)
    finders.set(agent, known)
    return known[0]?.(place)?.value ?? known[1]?.(place)?.value
  }
}

/** Finds the secrets of tools: in the manifest that was applied last, else in the task. */
function toolsFor(
  raw: unknown,
  { masked, owned, live, sealer }: Known,
): (tool: NonNullable<SecretPlace['tool']>) => string | undefined {
  const sent = items(members(raw).agents).map(members)
  const before = items(members(masked).agents).map(members)
  // Once per task, however many secrets its tools have.
  const finders = new Map<string, ReturnType<typeof keptTools>[]>()
  const findersOf = (a: number, t: number): ReturnType<typeof keptTools>[] => {
    const localId = textOf(sent[a]?.local_id)
    const tasks = tasksOf(sent[a] ?? {})
    const task = tasks[t]
    if (!task || localId === undefined) return []
    const b = before.findIndex((one) => one.local_id === localId)
    const known = tasksOf(before[b] ?? {})
    const at = counterpart(tasks, t, known)
    const there = live.tasks.get(localId) ?? []
    const own = there[counterpart(tasks, t, there)]
    const ofTask = {
      task: toolsIn(known[at]),
      secrets: within(owned, ['agents', b, 'heart', 'tasks', at]),
    }
    return [
      keptTools(task, at < 0 ? undefined : ofTask),
      keptTools(task, own && { task: own, secrets: secretsOf(own, sealer) }),
    ]
  }
  return ({ agent, task, place }) => {
    const key = `${agent}/${task}`
    const known = finders.get(key) ?? findersOf(agent, task)
    finders.set(key, known)
    return known[0]?.(place)?.value ?? known[1]?.(place)?.value
  }
}

/** Tools as sent: their names and addresses are compared even if they are invalid. */
function toolsIn(task: Raw | undefined): Tooled {
  return { tools: items(task?.tools).map(members), api_url: null } as unknown as Tooled
}

/** Reads only what identifies servers and channels, so that faults elsewhere do not matter. */
function settingsIn(agent: unknown): KeptSettings['agent'] {
  const { brain, control } = members(agent)
  const listOf = (holder: unknown, name: string) => items(members(holder)[name]).map(members)
  // Servers and channels as sent: their names and addresses are compared even if they are invalid.
  return {
    brain: { mcps: listOf(brain, 'mcps') },
    control: { channels: listOf(control, 'channels') },
  } as unknown as KeptSettings['agent']
}

/** The secrets of one agent or task of a manifest, by their pointers into it. */
function within(
  owned: Owned,
  path: readonly (string | number)[],
): Readonly<Record<string, string>> {
  return owned.get(pointerTo(path)) ?? {}
}

type Raw = Readonly<Record<string, unknown>>

/** The positions of an agent, of a task in it and of a trigger in that. */
type Position = readonly [agent: number, task: number, trigger: number]

/** Finds the secrets of triggers: in the manifest that was applied last, else in the task. */
function triggersFor(
  raw: unknown,
  { masked, owned, live, sealer }: Known,
): (trigger: Position) => string | undefined {
  const sent = items(members(raw).agents).map(members)
  const before = items(members(masked).agents).map(members)
  // Once per task, however many triggers it has.
  const finders = new Map<string, (position: number) => string | undefined>()
  const finderOf = (a: number, t: number): ((position: number) => string | undefined) => {
    const localId = textOf(sent[a]?.local_id)
    const tasks = tasksOf(sent[a] ?? {})
    if (localId === undefined) return () => undefined
    const triggers = triggersOf(tasks[t])
    const b = before.findIndex((one) => one.local_id === localId)
    const known = tasksOf(before[b] ?? {})
    const at = counterpart(tasks, t, known)
    const secrets = within(owned, ['agents', b, 'heart', 'tasks', at])
    const inManifest = at < 0 ? undefined : keptTriggers(triggersOf(known[at]), secrets)
    const there = live.tasks.get(localId) ?? []
    const own = there[counterpart(tasks, t, there)]
    const inTask = own && { triggers: own.triggers, secrets: secretsOf(own, sealer) }
    return (position) => {
      const trigger = triggers[position]
      if (!trigger) return undefined
      return keptSecret(trigger, position, inManifest) ?? keptSecret(trigger, position, inTask)
    }
  }
  return ([a, t, position]) => {
    const key = `${a}/${t}`
    const known = finders.get(key) ?? finderOf(a, t)
    finders.set(key, known)
    return known(position)
  }
}

/** The triggers of a task of a manifest, with their secrets by position. */
function keptTriggers(
  triggers: readonly Trigger[],
  secrets: Readonly<Record<string, string>>,
): Kept {
  const found = triggers.flatMap((_, i): [string, string][] => {
    const secret = secrets[pointerTo(['triggers', i, 'config', 'secret'])]
    return secret === undefined ? [] : [[String(i), secret]]
  })
  const byPosition: TaskSecrets = Object.fromEntries(found)
  return { triggers, secrets: byPosition }
}

function tasksOf(agent: Raw): Raw[] {
  return items(members(agent.heart).tasks).map(members)
}

/** Reads only what identifies triggers, so that faults elsewhere do not matter. */
function triggersOf(task: Raw | undefined): Trigger[] {
  return items(task?.triggers).map((item) => {
    const { type, config } = members(item)
    // A trigger of another type never matches one that has a secret.
    return { type: type as Trigger['type'], config: members(config), enabled: true }
  })
}

/**
 * The position of the matching task among others: by its id; without an id by its name among those that no
 * id claims, first those without an id, in order. -1 if there is none.
 */
function counterpart(
  sent: readonly Raw[],
  position: number,
  others: readonly { task_id?: unknown; name?: unknown }[],
): number {
  const idOf = (one: { task_id?: unknown } | undefined): string | undefined => textOf(one?.task_id)
  const task = sent[position]
  const id = idOf(task)
  if (id !== undefined) return others.findIndex((other) => other.task_id === id)
  const claimed = new Set(sent.flatMap((one) => idOf(one) ?? []))
  const free = [...others.entries()].filter(([, other]) => {
    const otherId = idOf(other)
    return other.name === task?.name && (otherId === undefined || !claimed.has(otherId))
  })
  const [unnamed, named] = [
    free.filter(([, other]) => idOf(other) === undefined),
    free.filter(([, other]) => idOf(other) !== undefined),
  ]
  const before = sent.slice(0, position)
  const turn = before.filter((one) => idOf(one) === undefined && one.name === task?.name).length
  return [...unnamed, ...named][turn]?.[0] ?? -1
}
