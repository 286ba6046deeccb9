import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { BSON, MongoClient } from 'mongodb'

const { EJSON } = BSON
const opMsg = 2013

/** What happens to the next commands of a name. */
type Fault =
  | 'none'
  | 'lose request'
  | 'lose answer'
  | 'not primary'
  | 'conflict'
  | 'forbidden'
  /** It comes to the server with `accept`. */
  | 'hold'

type State = 'open' | 'refusing' | 'stalled' | 'alone'

export interface MongoProxy {
  /** The server's address by way of the proxy. */
  readonly uri: string
  /** The port of that address. */
  readonly port: number
  /** The next commands of this name meet the fault, that many times, after what was asked before. */
  fail(command: string, fault: Fault, times?: number): void
  /** The names of the commands that came by. */
  readonly heard: ReadonlySet<string>
  /** How many faults have happened. */
  readonly failed: number
  /** Cuts every connection now. */
  cut(): void
  /** Cuts every connection, and each new one at once, until `accept`, which ends all faults. */
  refuse(): void
  /** Resolves when the next connection is refused. */
  refused(): Promise<void>
  accept(): void
  /** Takes connections and answers nothing, until `accept`. */
  stall(): void
  /** Has the server say that it belongs to no replica set, from now on. */
  standAlone(): void
  /**
   * Ends the transactions of a killed client, which lock its documents until then. The server does
   * so by itself, a minute after they began.
   */
  endTransactions(): Promise<void>
  close(): Promise<void>
}

/** A proxy before the MongoDB server of `uri` (one host) that can do what networks and elections do. */
export async function openMongoProxy(uri: string): Promise<MongoProxy> {
  const target = /^mongodb:\/\/(?:[^@/]*@)?([^:/,]+):(\d+)/.exec(uri)
  if (!target) throw new Error('the proxy needs an address with one host and a port')
  const [, host = '', port = ''] = target
  const faults = new Map<string, Fault[]>()
  const heard = new Set<string>()
  const pairs = new Set<Pair>()
  let state: State = 'open'
  let failed = 0
  let refused = Promise.withResolvers<void>()

  const nextFault = (command: string): Fault | undefined => {
    heard.add(command)
    const fault = faults.get(command)?.shift()
    if (fault && fault !== 'none') failed += 1
    return fault
  }
  const held: (() => void)[] = []
  const sessions = new Sessions(uri)
  const shared: Shared = {
    nextFault,
    state: () => state,
    sessions,
    hold: (pass) => held.push(pass),
  }
  const server = createServer((client) => {
    if (state === 'refusing') {
      client.destroy()
      refused.resolve()
      refused = Promise.withResolvers<void>()
      return
    }
    const ends = { client, server: connect(Number(port), host) }
    const pair = join(ends, shared)
    pairs.add(pair)
    void pair.gone.then(() => pairs.delete(pair))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server has an address with a port.
  const own = (server.address() as AddressInfo).port
  const cut = (): void => {
    for (const pair of pairs) pair.cut()
  }

  return {
    uri: uri.replace(`${host}:${port}`, `127.0.0.1:${own}`),
    port: own,
    fail(command, fault, times = 1) {
      faults.set(command, [...(faults.get(command) ?? []), ...Array<Fault>(times).fill(fault)])
    },
    heard,
    get failed() {
      return failed
    },
    cut,
    refuse() {
      state = 'refusing'
      cut()
    },
    refused: () => refused.promise,
    stall() {
      state = 'stalled'
    },
    standAlone() {
      state = 'alone'
    },
    async endTransactions() {
      // What it had sent, and the server may just begin, is done first.
      await Promise.all([...pairs].map(({ gone }) => gone))
      await shared.sessions.end()
    },
    accept() {
      faults.clear()
      for (const pass of held.splice(0)) pass()
      if (state === 'stalled') cut()
      state = 'open'
    },
    async close() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}

/** The sessions in which a transaction is open. */
class Sessions {
  readonly #uri: string
  readonly #open = new Map<string, unknown>()

  constructor(uri: string) {
    this.#uri = uri
  }

  hear({ session, inTransaction }: Command): void {
    if (session === undefined) return
    const id = EJSON.stringify(session)
    if (inTransaction) this.#open.set(id, session)
    else this.#open.delete(id)
  }

  /** Ends every transaction that is open. */
  async end(): Promise<void> {
    const killSessions = [...this.#open.values()]
    this.#open.clear()
    if (killSessions.length > 0) await this.#command({ killSessions })
  }

  /** Ends the transaction that is open in a session. */
  async abort(session: unknown): Promise<void> {
    await this.#command({ killSessions: [session] })
  }

  async #command(command: object): Promise<void> {
    const client = new MongoClient(this.#uri)
    try {
      await client.db('admin').command(command)
    } finally {
      await client.close()
    }
  }
}

/** What all connections have to do with. */
interface Shared {
  nextFault: (command: string) => Fault | undefined
  state: () => State
  sessions: Sessions
  hold: (pass: () => void) => void
}

interface Pair {
  cut(): void
  /** Resolves when its end at the server is closed. */
  gone: Promise<void>
}

function join(
  { client, server }: { client: Socket; server: Socket },
  { nextFault, state, sessions, hold }: Shared,
): Pair {
  const cut = (): void => {
    client.destroy()
    server.destroy()
  }
  const leave = (): void => {
    if (pending.size === 0) cut()
  }
  let losesAnswer = false
  /** Statements of transactions that the server has not answered. */
  const pending = new Set<number>()
  const onMessage = (message: Buffer): void => {
    if (state() === 'stalled') return
    const command = commandOf(message)
    const fault = command && nextFault(command.name)
    if (fault === 'lose request') return cut()
    if (fault === 'not primary') return void client.write(notPrimary(message, command))
    if (fault === 'forbidden') return void client.write(failure(message, 13, 'Unauthorized'))
    if (fault === 'conflict') {
      // The server has ended the transaction, too.
      return void sessions.abort(command?.session).then(() => client.write(conflict(message)))
    }
    losesAnswer = fault === 'lose answer'
    if (command) sessions.hear(command)
    if (command?.inTransaction) pending.add(message.readInt32LE(4))
    if (fault === 'hold') return hold(() => server.write(message))
    server.write(message)
  }
  client.on('data', messages(onMessage))
  const onAnswer = (message: Buffer): void => {
    pending.delete(message.readInt32LE(8))
    if (losesAnswer) cut()
    else if (client.destroyed) leave()
    else if (state() !== 'stalled') client.write(state() === 'alone' ? alone(message) : message)
  }
  server.on('data', messages(onAnswer))
  // A cut connection may say so in its own words; the driver under test hears of it too.
  for (const socket of [client, server]) socket.on('error', () => undefined)
  client.on('close', leave)
  server.on('close', cut)
  const gone = new Promise<void>((resolve) => server.once('close', () => resolve()))
  return { cut, gone }
}

/** Passes on whole messages of the wire protocol, from any pieces in which they arrive. */
function messages(onMessage: (message: Buffer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0)
      onMessage(rest.subarray(0, length))
      rest = rest.subarray(length)
    }
  }
}

interface Command {
  name: string
  session: unknown
  /** One statement of a transaction that is still open. */
  inTransaction: boolean
}

function commandOf(message: Buffer): Command | undefined {
  // Other kinds of messages only open a connection; a body comes first in those that drivers send.
  if (message.readInt32LE(12) !== opMsg || message[20] !== 0) return undefined
  const body = BSON.deserialize(message.subarray(21, 21 + message.readInt32LE(21)))
  const name = Object.keys(body)[0] ?? ''
  const isEnd = name === 'commitTransaction' || name === 'abortTransaction'
  return { name, session: body.lsid, inTransaction: body.autocommit === false && !isEnd }
}

/** The answer without the name of the replica set, which only a greeting has. */
function alone(answer: Buffer): Buffer {
  const at = answer.readInt32LE(12) === opMsg ? 21 : 36
  const body = BSON.deserialize(answer.subarray(at, at + answer.readInt32LE(at)))
  if (!('setName' in body)) return answer
  for (const member of ['setName', 'setVersion', 'hosts', 'primary', 'me']) delete body[member]
  const changed = Buffer.concat([answer.subarray(0, at), BSON.serialize(body)])
  changed.writeInt32LE(changed.length, 0)
  return changed
}

/** What a server says that has just lost an election. */
function notPrimary(request: Buffer, command: Command | undefined): Buffer {
  const label = command?.inTransaction ? 'TransientTransactionError' : 'RetryableWriteError'
  return failure(request, 10107, 'NotWritablePrimary', label)
}

/** What a server says when another transaction was first; nothing of this one is done. */
function conflict(request: Buffer): Buffer {
  return failure(request, 112, 'WriteConflict', 'TransientTransactionError')
}

function failure(
  request: Buffer,
  code: number,
  codeName: string,
  ...errorLabels: string[]
): Buffer {
  const body = BSON.serialize({ ok: 0, code, codeName, errmsg: codeName, errorLabels })
  const head = Buffer.alloc(21)
  head.writeInt32LE(head.length + body.length, 0)
  head.writeInt32LE(1, 4)
  head.writeInt32LE(request.readInt32LE(4), 8)
  head.writeInt32LE(opMsg, 12)
  return Buffer.concat([head, body])
}
