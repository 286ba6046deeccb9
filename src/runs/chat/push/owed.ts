import { newId } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { measured } from '#src/events/outbox/bytes.ts'
import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import type { PushTarget } from '#src/events/outbox/push-target.ts'
import type { ChatTask } from '../chat.ts'
import type { Write } from '#src/ports/store.ts'
import { newPushBody } from './body.ts'
import { isWaiting, type StoredRun } from '#src/runs/run.ts'
import { streamResponse, taskOf03, type Told } from './payload.ts'
import { sendable, shownState, shownTask } from './view.ts'

/** More than the notifications of one change, so that those of the next are ordered after them. */
const placesOfChange = 1000
/** They are never read again: kept until the last try, and a little longer. */
const keptDays = 2

/** A change of the state of a chat task. */
export interface Changed {
  chat: Pick<ChatTask, 'id' | 'context_id' | 'char_id'>
  /** The run after the change. */
  run: StoredRun
  /** Another run continues for it. */
  isReplaced?: boolean
  /** The task begins with it: the whole task is sent. */
  isFirst?: boolean
  /** The number of the change, from 1. */
  number: number
  now: Date
}

/** The writes that queue a change for these targets, in the order of delivery. */
export function owedFor(targets: readonly PushTarget[], changed: Changed): Write[] {
  const keep_until = secondsAfter(changed.now, keptDays * 86_400)
  const made = new Map<string, Body[]>()
  const shared: Write[] = []
  const owedOnes = targets.flatMap((target) => {
    const { version, is_own } = target
    const kind = `${version} ${is_own}`
    let bodies = made.get(kind)
    if (!bodies) {
      bodies = bodiesOf(changed, version, is_own)
      made.set(kind, bodies)
      for (const body of bodies.filter(({ isContent }) => isContent)) {
        const insert = newPushBody(changed.run, body.text, keep_until)
        body.keptAs = insert.id
        shared.push({ in: 'push_bodies', insert })
      }
    }
    return bodies.map((body, place) => owed(target, changed, place, body, keep_until))
  })
  return [...shared, ...owedOnes.map((insert): Write => ({ in: 'deliveries', insert }))]
}

interface Body {
  text: string
  /** It sends results of the task, and not only its state. */
  brings: boolean
  /** It holds results of the task: stored once, and as long as the run is. */
  isContent: boolean
  /** The id of the separately stored body. */
  keptAs?: string
}

function bodiesOf(
  { chat, run, isReplaced, isFirst, now }: Changed,
  version: PushTarget['version'],
  isOwn: boolean,
): Body[] {
  const subject = { run, ...(isReplaced && { isReplaced }) }
  const task = shownTask(chat, subject, sinceWhen(run, now), isOwn)
  const artifacts = sendable(task.artifacts)
  if (version === '0.3') {
    const text = JSON.stringify(taskOf03(task, artifacts))
    return [{ text, brings: false, isContent: artifacts.length > 0 }]
  }
  const told: Told[] = [
    ...artifacts.map((artifact): Told => ({ kind: 'artifact', artifact })),
    { kind: isFirst ? 'task' : 'state' },
  ]
  return told.map((one) => {
    const brings = one.kind === 'artifact'
    return { text: JSON.stringify(streamResponse(task, one)), brings, isContent: brings }
  })
}

/** When the run got its status. */
function sinceWhen({ status, finished_at, started_at, created_at }: StoredRun, now: Date): string {
  if (isWaiting({ status })) return timestamp(now)
  return finished_at ?? (status === 'running' ? started_at : null) ?? created_at
}

function owed(
  target: PushTarget,
  { run, number, now }: Changed,
  place: number,
  { text, brings, keptAs }: Body,
  keep_until: string,
): StoredDelivery {
  const at = timestamp(now)
  return measured({
    id: newId('dlv'),
    app_id: null,
    char_id: target.char_id,
    event_id: newId('evt'),
    type: `a2a.${shownState(run).toLowerCase()}`,
    url: target.url,
    status: 'pending',
    attempts: 0,
    response_status: null,
    error: null,
    created_at: at,
    last_attempt_at: null,
    next_attempt_at: at,
    owner_id: run.owner_id,
    body: keptAs === undefined ? text : '',
    sealed_secret: null,
    due_at: at,
    claim: null,
    keep_until,
    push_target: target.id,
    push_seq: number * placesOfChange + place,
    push_version: target.version,
    ...(keptAs !== undefined && { push_body: keptAs }),
    push_brings: brings,
    payer: target.payer,
    ...(run.sender !== undefined && { sender: run.sender }),
  })
}
