import type { Brain, Hook } from '#src/agents/brain.ts'
import { isMap } from '#src/core/maps.ts'
import type { Store } from '#src/ports/store.ts'
import { Notices, type Notice } from '../notices.ts'
import type { TaskInput } from '../task.ts'

/** What of a task decides what its end sets off. */
export type Linked = Pick<
  TaskInput,
  'name' | 'enabled' | 'autonomy' | 'triggers' | 'output_sharing' | 'post_to_feed'
> & { task_id: string | null }

/** An agent whose hooks and tasks may set off each other; a pointer only where the part is written now. */
export interface Circle {
  charId: string
  /** How its tasks may name it besides. */
  localId?: string | undefined
  hooks: readonly Pick<Hook, 'event' | 'action' | 'enabled'>[]
  hooksAt: string | undefined
  tasks: readonly { task: Linked; at: string | undefined }[]
}

/** So much is compared for one answer; nothing is said of what goes beyond. */
const tasksAtMost = 200
const firingsAtMost = 40

interface Node {
  agent: Circle
  task: Linked
  at: string | undefined
}

/** A hook or an event trigger that starts a task. */
interface Firing {
  target: Node
  pointer: string | undefined
  firesFor(ended: Node): boolean
}

const ends = new Set(['run.completed', 'run.failed'])
const hookEnds = new Set([...ends, 'before_run', 'after_run', 'on_error'])
const posted = 'feed.post_created'

/** An agent that is written, with its tasks. */
export function circleOf(
  { id, brain }: { id: string; brain?: Pick<Brain, 'hooks'> | null | undefined },
  tasks: Circle['tasks'],
): Circle {
  return { charId: id, hooks: brain?.hooks ?? [], hooksAt: '/brain/hooks', tasks }
}

/**
 * Notes hooks and event triggers that fire again at the end of what they set off by way of another
 * task. One that would only fire for the end of its own run is cut silently, as everyone expects it.
 */
export function noteLoops(notices: Notices, agents: readonly Circle[]): void {
  const nodes = agents
    .flatMap((agent) => agent.tasks.slice(0, tasksAtMost).map((one): Node => ({ agent, ...one })))
    .slice(0, tasksAtMost)
  const firings = firingsAmong(agents, nodes)
  if (firings.every(({ pointer }) => pointer === undefined)) return
  const next = new Map(nodes.map((node) => [node, startedBy(node, firings, nodes)]))
  for (const firing of firings) {
    const way = firing.pointer === undefined ? undefined : wayBack(firing, next)
    if (!way || firing.pointer === undefined) continue
    const names = [...way, firing.target].map(
      ({ task }) => `"${(task.task_id ?? task.name).slice(0, 100)}"`,
    )
    const message =
      `What this starts sets it off again: ${names.join(', then ')}. ` +
      'The second time nothing runs: that run is skipped with the reason loop.'
    notices.add('loops', firing.pointer, message)
  }
}

function firingsAmong(agents: readonly Circle[], nodes: readonly Node[]): Firing[] {
  const hooked = agents.flatMap((agent) => hooksOf(agent, nodes))
  return [...hooked, ...nodes.flatMap(triggersOf)].slice(0, firingsAtMost)
}

function hooksOf(agent: Circle, nodes: readonly Node[]): Firing[] {
  const own = nodes.filter((node) => node.agent === agent && mayStart(node.task))
  if (own.length === 0) return []
  return agent.hooks.slice(0, firingsAtMost).flatMap(({ enabled, event, action }, i) => {
    const taskId = /^task:(.+)$/s.exec(action)?.[1] ?? ''
    const target = own.find((node) => isCalled(node, taskId))
    if (!target || !enabled || !hookEnds.has(event)) return []
    const pointer = agent.hooksAt === undefined ? undefined : `${agent.hooksAt}/${i}/action`
    return [{ target, pointer, firesFor: (ended: Node) => ended.agent === agent }]
  })
}

function triggersOf(target: Node): Firing[] {
  const { task, at } = target
  if (!mayStart(task)) return []
  return task.triggers.flatMap(({ type, enabled, config }, i) => {
    if (type !== 'event' || !enabled) return []
    const pointer = at === undefined ? undefined : `${at}/triggers/${i}/config`
    return [{ target, pointer, firesFor: (ended: Node) => hears(config, ended) }]
  })
}

function isCalled({ task }: Node, taskId: string): boolean {
  return task.task_id === taskId
}

function mayStart({ enabled, autonomy }: Linked): boolean {
  return enabled && autonomy !== 'manual'
}

/** Triggers of runs in a chain: a filter that asks for another one lets none of them pass. */
const inChains = new Set(['hook', 'event', 'message', 'workflow', 'router'])

/** Whether a trigger may fire for the end of the task, as far as its filter tells without the run. */
function hears({ event, filter }: Record<string, unknown>, { agent, task }: Node): boolean {
  const isHeard = event === posted ? task.post_to_feed : ends.has(String(event))
  if (!isHeard || !(filter === undefined || filter === null || isMap(filter))) return false
  const { char_id, task_id, trigger, depth } = filter ?? {}
  return (
    (char_id === undefined || char_id === agent.charId) &&
    (task_id === undefined || task_id === task.task_id) &&
    (trigger === undefined || (typeof trigger === 'string' && inChains.has(trigger))) &&
    depth !== 0
  )
}

/** The tasks that the end of a task starts. */
function startedBy(node: Node, firings: readonly Firing[], nodes: readonly Node[]): Node[] {
  const fired = firings.filter((firing) => firing.firesFor(node)).map(({ target }) => target)
  return [...new Set([...fired, ...handedOn(node, nodes)])]
}

function handedOn({ agent, task }: Node, nodes: readonly Node[]): Node[] {
  const { enabled, target_agent_id: named, target_task_id } = task.output_sharing ?? {}
  if (!enabled || !named) return []
  return nodes.filter(
    (node) =>
      (node.agent.localId === named || node.agent.charId === named) &&
      mayStart(node.task) &&
      (target_task_id ? isCalled(node, target_task_id) : listensTo(node.task, agent)),
  )
}

function listensTo({ triggers }: Linked, { charId, localId }: Circle): boolean {
  return triggers.some(({ type, enabled, config }) => {
    const from = config.from_agent_id || charId
    return type === 'message' && enabled && (from === charId || from === localId)
  })
}

/** The tasks from the one that is started to the one whose end starts it again, where another is among them. */
function wayBack(firing: Firing, next: ReadonlyMap<Node, readonly Node[]>): Node[] | undefined {
  const { target } = firing
  const before = new Map<Node, Node | undefined>([[target, undefined]])
  for (const node of before.keys()) {
    if (node !== target && firing.firesFor(node)) return wayTo(node, before)
    for (const one of next.get(node) ?? []) if (!before.has(one)) before.set(one, node)
  }
  return undefined
}

function wayTo(last: Node, before: ReadonlyMap<Node, Node | undefined>): Node[] {
  const way: Node[] = []
  for (let node: Node | undefined = last; node; node = before.get(node)) way.unshift(node)
  return way
}

/**
 * Warnings about loops through what is written of an agent, and the tasks of the account that wait for
 * events, which are only read where something written fires.
 */
export async function loopWarnings(
  { store }: { store: Pick<Store, 'tasks'> },
  ownerId: string,
  written: Circle,
): Promise<Notice[]> {
  const notices = new Notices(() => undefined)
  const fires =
    written.hooks.some(({ enabled, action }) => enabled && action.startsWith('task:')) ||
    written.tasks.some(({ task }) => task.triggers.some(({ type }) => type === 'event'))
  if (!fires) return []
  const known = new Set(written.tasks.map(({ task }) => task.task_id))
  const limits = { limit: firingsAtMost, charactersAtMost: 2 ** 16 }
  const others = await store.tasks.find({ reacts: ownerId }, limits)
  const own = others.filter(
    ({ char_id, task_id }) => char_id === written.charId && !known.has(task_id),
  )
  const whole = {
    ...written,
    tasks: [...written.tasks, ...own.map((task) => ({ task, at: undefined }))],
  }
  const siblings = Map.groupBy(others, ({ char_id }) => char_id)
  siblings.delete(written.charId)
  const around = [...siblings].map(([charId, tasks]): Circle => {
    return {
      charId,
      hooks: [],
      hooksAt: undefined,
      tasks: tasks.map((task) => ({ task, at: undefined })),
    }
  })
  noteLoops(notices, [whole, ...around])
  return notices.all
}
