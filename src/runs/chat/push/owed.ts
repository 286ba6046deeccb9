import { newId } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import type { PushTarget } from '#src/events/outbox/push-target.ts'
import type { ChatTask } from '../chat.ts'
import { isWaiting, type StoredRun } from '#src/runs/run.ts'
import { streamResponse, taskOf03, type Told } from './payload.ts'
import { sendable, shownState, shownTask } from './view.ts'

/** More than one change ever brings, so that the places of one stay before those of the next. */
const placesOfChange = 1000
/** Nobody reads them again, and what they bring is large: kept until the last try, and a little longer. */
const keptDays = 2

/** A change of how a chat task stands. */
export interface Changed {
  chat: Pick<ChatTask, 'id' | 'context_id'>
  /** The run as it then is. */
  run: StoredRun
  /** Another run goes on for it. */
  isReplaced?: boolean
  /** The task begins with it: it is told whole. */
  isFirst?: boolean
  /** Which change it is, counted from 1. */
  number: number
  now: Date
}

/** What is owed to these targets for a change, in the order in which it is to arrive. */
export function owedFor(targets: readonly PushTarget[], changed: Changed): StoredDelivery[] {
  const made = new Map<string, Body[]>()
  return targets.flatMap((target) => {
    const { version, is_own } = target
    const kind = `${version} ${is_own}`
    const bodies = made.get(kind) ?? bodiesOf(changed, version, is_own)
    made.set(kind, bodies)
    return bodies.map((body, place) => owed(target, changed, place, body))
  })
}

interface Body {
  text: string
  brings: boolean
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
    return [{ text: JSON.stringify(taskOf03(task, artifacts)), brings: false }]
  }
  const told: Told[] = [
    ...artifacts.map((artifact): Told => ({ kind: 'artifact', artifact })),
    { kind: isFirst ? 'task' : 'state' },
  ]
  return told.map((one) => ({
    text: JSON.stringify(streamResponse(task, one)),
    brings: one.kind === 'artifact',
  }))
}

/** When the run came to stand as it does. */
function sinceWhen({ status, finished_at, started_at, created_at }: StoredRun, now: Date): string {
  if (isWaiting({ status })) return timestamp(now)
  return finished_at ?? (status === 'running' ? started_at : null) ?? created_at
}

function owed(
  target: PushTarget,
  { run, number, now }: Changed,
  place: number,
  { text: body, brings }: Body,
): StoredDelivery {
  const at = timestamp(now)
  return {
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
    body,
    sealed_secret: null,
    due_at: at,
    claim: null,
    keep_until: secondsAfter(now, keptDays * 86_400),
    push_target: target.id,
    push_seq: number * placesOfChange + place,
    push_version: target.version,
    push_brings: brings,
    payer: target.payer,
  }
}
