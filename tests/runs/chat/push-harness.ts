import { createLocalJWKSet, flattenedVerify, type JSONWebKeySet } from 'jose'
import { createPublicKey, verify, type webcrypto } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { openSender } from '#adapters/sender/fetch.ts'
import { chatOperations } from '#src/catalog/chat.ts'
import { serviceKey } from '#src/core/admission/service-key.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { Operation } from '#src/core/operation.ts'
import type { Sender } from '#src/ports/sender.ts'
import type { Store } from '#src/ports/store.ts'
import { deliverer, type Deliverer } from '#src/work/deliveries.ts'
import { runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import type { Place, StoreKind } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'
import { openWorld, type World, type WorldOptions } from '#tests/support/world.ts'

/** One call of the receiver. */
export interface Call {
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** A receiver that keeps what it is sent, and answers as it is told. */
export interface Receiver extends WebServer {
  url: string
  calls: Call[]
  answer: (response: ServerResponse, call: Call) => unknown
  /** Another address of it. */
  at(path: string): string
}

async function startReceiver(): Promise<Receiver> {
  const server = await startWebServer()
  const receiver: Receiver = {
    ...server,
    url: '',
    calls: [],
    answer: (response) => response.writeHead(204).end(),
    at: (path) =>
      server.on(path, async (request, response) => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(Buffer.from(chunk))
        const call = { path, headers: request.headers, body: Buffer.concat(chunks).toString() }
        receiver.calls.push(call)
        receiver.answer(response, call)
      }),
  }
  receiver.url = receiver.at('/push')
  return receiver
}

/** What the protocol calls how a task stands, of a notification of either version. */
export function stateIn({ body }: Call): string {
  // What the service has sent.
  const said = JSON.parse(body) as {
    task?: { status: { state: string } }
    statusUpdate?: { status: { state: string } }
    artifactUpdate?: object
    status?: { state: string }
  }
  if (said.artifactUpdate) return 'artifact'
  const { state = '' } = said.status ?? said.task?.status ?? said.statusUpdate?.status ?? {}
  return state.replace('TASK_STATE_', '').toLowerCase().replace('_', '-')
}

/** A chat task as chat.send answers it. */
export interface Sent {
  id: string
  context_id: string
  status: string
}

/** A place to play notifications on: a store, a world on it, and a receiver outside. */
export interface Stage {
  clock: FakeClock
  store: Store
  receiver: Receiver
  made: World
  /** The account of the agent `ada`. */
  owner: { key: string; id: string }
  /** An account that has nothing to do with it. */
  stranger: { key: string; id: string }
  /** Another world on the same store, as another process has it. */
  another(sender?: Sender): Promise<World>
  guarded(): Sender
  serve<T = Record<string, never>>(op: Operation, input: object, key?: string): Promise<T>
  refusal(op: Operation, input: object, key?: string): Promise<Refusal>
  /** Sends `ada` a message. */
  message(more?: object, key?: string): Promise<Sent>
  /** Sends everything that is due. */
  deliver(world?: World): Promise<void>
  /** A deliverer of its own, stopped with the stage. */
  deliverer(world?: World, more?: () => void): Deliverer
  /** Does the runs that wait for a worker of the server until none is left. */
  work(): Promise<void>
  /** Leases the run that waits for a brain and ends it. */
  think(output: unknown, artifacts?: object[]): Promise<void>
  close(): Promise<void>
}

const task = { public: true }
const tasks = [
  { ...task, task_id: 'ask', name: 'Ask', prompt: '{{input}}', order: 1 },
  { ...task, task_id: 'echo', name: 'Echo', prompt: '{{input}}', runtime: 'template', order: 2 },
  {
    ...task,
    task_id: 'gated',
    name: 'Gated',
    prompt: 'yes',
    runtime: 'template',
    approval_gate: { requires_approval: true },
    order: 3,
  },
]

export async function openStage(kind: StoreKind, quotas?: WorldOptions['quotas']): Promise<Stage> {
  const clock = fakeClock()
  const place: Place = await kind.place()
  const opened: Store[] = []
  const open = async (): Promise<Store> => {
    const real = await place.open()
    opened.push(real)
    // The store's clock is the test's.
    return {
      ...real,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
  }
  const receiver = await startReceiver()
  const guarded = (): Sender => openSender({ allow: [receiver.origin], userAgent: 'Abode/test' })
  const store = await open()
  const made = openWorld(store, { clock, sender: guarded(), ...(quotas && { quotas }) })
  const owner = await made.account()
  const stranger = await made.account()
  const character = {
    id: 'ada',
    name: 'Ada',
    visibility: { profile_visibility: 'public', ability_access: { chat: 'public' } },
    heart: { tasks },
  }
  await made.ask('characters.create', { character }, owner.key)
  const working: { stop(): Promise<void> }[] = []
  const call = (op: Operation, input: object, credential?: string) =>
    made.core.serve({
      operation: op,
      input: { char_id: 'ada', ...input },
      credential,
      address: '127.0.0.0',
      requestId: 'test',
    })
  let messages = 0
  const stage: Stage = {
    clock,
    store,
    receiver,
    made,
    owner,
    stranger,
    guarded,
    async another(sender = guarded()) {
      return openWorld(await open(), { clock, sender })
    },
    async serve(op, input, key = stranger.key) {
      const { answer, refusal } = await call(op, input, key)
      if (refusal) throw refusal
      // The test says what it expects.
      return JSON.parse(answer.text) as never
    },
    async refusal(op, input, key = stranger.key) {
      const { answer, refusal } = await call(op, input, key)
      if (answer) throw new Error(`${op.name} was not refused: ${answer.text}`)
      return refusal
    },
    message(more = {}, key = stranger.key) {
      messages += 1
      const said = { message_id: `m-${messages}`, parts: [{ text: 'Hello' }], task_id: 'ask' }
      return stage.serve<Sent>(chatOperations.send, { ...said, ...more }, key)
    },
    deliverer(world = made, more = () => undefined) {
      const one = deliverer(world.ports, more)
      working.push(one)
      return one
    },
    async deliver(world = made) {
      let ended = 0
      const one = stage.deliverer(world, () => void (ended += 1))
      for (;;) {
        const before = ended
        const taken = await one.tick()
        if (taken === 0) return
        await until(() => ended >= before + taken)
      }
    },
    async work() {
      const one = runner(made.ports, 4)
      working.push(one)
      await until(async () => {
        const at = clock.now().toISOString()
        const due = await store.runs.count({ waits_for: 'worker', due_at: { $lte: at } })
        if (due > 0) one.wake(due)
        return due + (await store.runs.count({ 'claim.by': 'worker' })) === 0
      })
    },
    async think(output, artifacts = []) {
      const leased = await made.ask<{ run: { id: string }; lease_token: string }>(
        'runs.lease',
        { char_id: 'ada' },
        owner.key,
      )
      const { run, lease_token } = leased
      const done = { run_id: run.id, lease_token, output, artifacts }
      await made.ask('runs.complete', done, owner.key)
    },
    async close() {
      await Promise.all(working.splice(0).map((one) => one.stop()))
      await Promise.all(opened.splice(0).map((one) => one.close()))
      receiver.close()
      await place.remove()
    },
  }
  return stage
}

/** The operations on targets, by what they do. */
export const push = chatOperations.push

/** What the signatures of a call say, checked with the published key set; rejects where one is wrong. */
export async function signedIn({ headers, body }: Call, { ports }: World) {
  const { keySet } = serviceKey(ports.sealer)
  const text = (name: string): string => String(headers[name])
  const [protectedHeader = '', payload, signature = ''] = text('x-jws-signature').split('.')
  if (payload !== '') throw new Error('the payload is not detached')
  const jws = {
    protected: protectedHeader,
    payload: Buffer.from(body).toString('base64url'),
    signature,
  }
  // A key set is what the document is.
  const keys = createLocalJWKSet(keySet as unknown as JSONWebKeySet)
  const { protectedHeader: about } = await flattenedVerify(jws, keys, { algorithms: ['EdDSA'] })
  const [version, standard = ''] = text('webhook-signature').split(',')
  const signed = `${text('webhook-id')}.${text('webhook-timestamp')}.${body}`
  // As above.
  const key = createPublicKey({ key: keySet.keys[0] as webcrypto.JsonWebKey, format: 'jwk' })
  const holds = verify(null, Buffer.from(signed), key, Buffer.from(standard, 'base64'))
  return { about, version, holds }
}
