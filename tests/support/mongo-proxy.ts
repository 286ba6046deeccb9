import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { BSON } from 'mongodb'

const opMsg = 2013

/** What happens to the next commands of a name. */
type Fault = 'lose request' | 'lose answer' | 'not primary'

export interface MongoProxy {
  /** The server's address by way of the proxy. */
  readonly uri: string
  /** The next commands of this name meet the fault, that many times. */
  fail(command: string, fault: Fault, times?: number): void
  /** How many faults have happened. */
  readonly failed: number
  /** Cuts every connection now. */
  cut(): void
  /** Cuts every connection, and each new one at once, until `accept`. */
  refuse(): void
  accept(): void
  /** Takes connections and answers nothing, until `accept`. */
  stall(): void
  close(): Promise<void>
}

/** A proxy before the MongoDB server of `uri` (one host) that can do what networks and elections do. */
export async function openMongoProxy(uri: string): Promise<MongoProxy> {
  const target = /^mongodb:\/\/(?:[^@/]*@)?([^:/,]+):(\d+)/.exec(uri)
  if (!target) throw new Error('the proxy needs an address with one host and a port')
  const [, host = '', port = ''] = target
  const faults = new Map<string, Fault[]>()
  const pairs = new Set<Pair>()
  let state: 'open' | 'refusing' | 'stalled' = 'open'
  let failed = 0

  const nextFault = (command: string): Fault | undefined => {
    const fault = faults.get(command)?.shift()
    if (fault) failed += 1
    return fault
  }
  const server = createServer((client) => {
    if (state === 'refusing') {
      client.destroy()
      return
    }
    const pair = join(client, connect(Number(port), host), nextFault, () => state === 'stalled')
    pairs.add(pair)
    client.once('close', () => pairs.delete(pair))
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
    fail(command, fault, times = 1) {
      faults.set(command, [...(faults.get(command) ?? []), ...Array<Fault>(times).fill(fault)])
    },
    get failed() {
      return failed
    },
    cut,
    refuse() {
      state = 'refusing'
      cut()
    },
    stall() {
      state = 'stalled'
    },
    accept() {
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

interface Pair {
  cut(): void
}

function join(
  client: Socket,
  server: Socket,
  nextFault: (command: string) => Fault | undefined,
  isStalled: () => boolean,
): Pair {
  const cut = (): void => {
    client.destroy()
    server.destroy()
  }
  let losesAnswer = false
  const onMessage = (message: Buffer): void => {
    if (isStalled()) return
    const command = commandOf(message)
    const fault = command && nextFault(command.name)
    if (fault === 'lose request') return cut()
    if (fault === 'not primary') return void client.write(notPrimary(message, command))
    losesAnswer = fault === 'lose answer'
    server.write(message)
  }
  client.on('data', messages(onMessage))
  server.on('data', (bytes: Buffer) => {
    if (losesAnswer) cut()
    else if (!isStalled()) client.write(bytes)
  })
  for (const socket of [client, server]) {
    // A cut connection may say so in its own words; the driver under test hears of it too.
    socket.on('error', cut)
    socket.on('close', cut)
  }
  return { cut }
}

/** Gives whole messages of the wire protocol, whatever pieces they arrive in. */
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
  /** One statement of a transaction that is still open. */
  inTransaction: boolean
}

function commandOf(message: Buffer): Command | undefined {
  // Other kinds of messages only open a connection; a body comes first in those that drivers send.
  if (message.readInt32LE(12) !== opMsg || message[20] !== 0) return undefined
  const body = BSON.deserialize(message.subarray(21, 21 + message.readInt32LE(21)))
  const name = Object.keys(body)[0] ?? ''
  return { name, inTransaction: body.autocommit === false && name !== 'commitTransaction' }
}

/** What a server says that has just lost an election. */
function notPrimary(request: Buffer, command: Command | undefined): Buffer {
  const body = BSON.serialize({
    ok: 0,
    code: 10107,
    codeName: 'NotWritablePrimary',
    errmsg: 'not primary',
    errorLabels: [command?.inTransaction ? 'TransientTransactionError' : 'RetryableWriteError'],
  })
  const head = Buffer.alloc(21)
  head.writeInt32LE(head.length + body.length, 0)
  head.writeInt32LE(1, 4)
  head.writeInt32LE(request.readInt32LE(4), 8)
  head.writeInt32LE(opMsg, 12)
  return Buffer.concat([head, body])
}
