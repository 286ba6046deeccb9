import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Received } from './gauges.ts'
import { must } from './screen.ts'
import type { Run, Stage } from './stage.ts'

interface Simulation {
  fires: { char_id: string; task_id: string; at: string; fires_at: string }[]
  skips: { task_id: string; at: string; reason: string }[]
}

/** A week of the gauge keeper's schedule, played on a clock of its own. */
export async function simulateWeek({ screen, rest, idOf }: Stage): Promise<void> {
  const path = `/api/characters/${idOf('gauger')}/tasks/simulate`
  await screen.step(
    'Ruben reads the gauges every morning: a week of it, simulated',
    `REST, POST ${path}`,
    async (say) => {
      const { fires } = await rest.call<Simulation>('POST', path, { days: 7 })
      const mornings = fires.filter(({ task_id }) => task_id === 'read-gauges')
      must(mornings.length === 7, `a daily task fires ${mornings.length} times in seven days`)
      const [first] = mornings
      say(`7 fires, nothing run; the first is due ${first?.at} and, with its jitter, starts`)
      say(`at ${first?.fires_at}`)
    },
  )
}

interface Approval {
  id: string
  prompt: string
  state: string
  votes: { by: string; decision: string }[]
}

/** A run that waits until another agent has agreed. */
export async function approve({ screen, rest, a2a, idOf }: Stage): Promise<void> {
  const char_id = idOf('harbourmaster')
  const path = `/api/characters/${char_id}/tasks/close-quay/run`
  const waiting = await screen.step(
    'Nilufar wants to close the quay: her task has an approval gate',
    `REST, POST ${path}`,
    async (say) => {
      const run = await rest.call<Run>('POST', path, {
        input: { until: '09:30' },
        wait_seconds: 20,
      })
      must(run.status === 'waiting_approval', `the run is ${run.status}: ${run.error?.message}`)
      say(`${run.id} ${run.status}: nothing has been closed yet`)
      return run
    },
  )
  await screen.step(
    'Ottilie agrees over A2A, and a follow-up run does the work',
    'A2A, approvals.get and approvals.decide; REST, GET /api/runs/{run_id}/events',
    async (say) => {
      const approval_id = waiting.approval_id ?? ''
      const asked = await a2a.call<Approval>('approvals.get', { approval_id })
      say(`asked: ${asked.prompt}`)
      const decided = await a2a.call<Approval>('approvals.decide', {
        approval_id,
        decision: 'approve',
        reason: 'The boats have left.',
        as_char_id: idOf('watchkeeper'),
      })
      must(decided.state === 'approved', `the approval is ${decided.state}`)
      const { items } = await a2a.call<{ items: Run[] }>('runs.list', { char_id })
      const followUp = items.find((run) => run.resumed_from === waiting.id)
      must(followUp !== undefined, 'no run goes on from the one that waited')
      await rest.follow(followUp.id)
      const run = await rest.call<Run>('GET', `/api/runs/${followUp.id}`)
      must(run.status === 'completed', `the run is ${run.status}: ${run.error?.message}`)
      say(`${run.id}: ${String(run.output)}`)
    },
  )
}

const arrivesWithinMs = 20_000

interface Page {
  items: { status: string; error: string | null }[]
}

/** The call that the server owes the app's webhook since it was provisioned. */
export async function receiveWebhook(stage: Stage): Promise<void> {
  const { screen, gauges, manifest } = stage
  const path = `/api/agent-apps/${manifest.app_id}/deliveries`
  await screen.step(
    'The app’s webhook was told that it lives, and the signature is verified',
    `REST, GET ${path}`,
    async (say) => {
      const call = await arrived(stage, path)
      if (call === undefined) {
        say(`refused by the guard, as it should be: ${gauges.origin} is a private address`)
        say('the delivery is kept, and tried again for a day')
        return
      }
      must(isSigned(call, manifest.webhook.secret), 'the signature is not that of the body')
      // What came is what the documents of the server promise of it.
      const { id, type } = JSON.parse(call.body) as { id: string; type: string }
      say(`${type}, ${id}, ${call.body.length} bytes`)
      say(
        `X-Service-Signature ${String(call.headers['x-service-signature']).slice(0, 16)}… is right`,
      )
    },
  )
}

/** The call to the webhook; undefined where the server may not reach the demo's service. */
async function arrived({ rest, gauges, manifest }: Stage, path: string) {
  const isOurs = ({ body }: Received): boolean => body.includes(manifest.app_id)
  const until = Date.now() + arrivesWithinMs
  for (;;) {
    const soon = AbortSignal.timeout(500)
    const call = await gauges.hears(isOurs, soon).catch(() => undefined)
    if (call) return call
    const { items } = await rest.call<Page>('GET', path)
    if (items[0]?.error?.includes('does not call')) return undefined
    must(Date.now() < until, `nothing came: ${JSON.stringify(items)}`)
  }
}

/** Whether the HMAC of the very bytes that came is what their header says. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  const told = Buffer.from(String(headers['x-service-signature']), 'utf8')
  const made = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'), 'utf8')
  return told.length === made.length && timingSafeEqual(told, made)
}
