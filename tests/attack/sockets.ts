import { connect, type Socket } from 'node:net'

/** How often each kind of answer came: by status, or `cut` where the connection ended without one. */
export type Answers = Map<string, number>

export function count(answers: Answers, what: string): void {
  answers.set(what, (answers.get(what) ?? 0) + 1)
}

/** What an attacker sends on a connection, and how it goes on. */
export interface Onslaught {
  /** Written once it is open. */
  write: (socket: Socket) => void
  /** It does not read what comes back. */
  isDeaf?: boolean
  /** How long it is held where the server does not end it. */
  heldMs?: number
}

/**
 * Opens connections, so many at once and each time one ends another, until it is told to stop; counts
 * the first answer of each.
 */
export async function storm(
  port: number,
  { write, isDeaf = false, heldMs = 60_000 }: Onslaught,
  { atOnce, answers, signal }: { atOnce: number; answers: Answers; signal: AbortSignal },
): Promise<void> {
  const one = async (): Promise<void> => {
    while (!signal.aborted) {
      const socket = connect(port, '127.0.0.1')
      count(answers, await answerOf(socket, write, { isDeaf, heldMs, signal }))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

function answerOf(
  socket: Socket,
  write: (socket: Socket) => void,
  { isDeaf, heldMs, signal }: { isDeaf: boolean; heldMs: number; signal: AbortSignal },
): Promise<string> {
  return new Promise((resolve) => {
    let status = 'cut'
    const over = (): void => void socket.destroy()
    const held = setTimeout(() => {
      if (status === 'cut') status = 'held'
      over()
    }, heldMs)
    signal.addEventListener('abort', over, { once: true })
    socket.on('error', () => undefined)
    socket.on('connect', () => write(socket))
    socket.once('close', () => {
      clearTimeout(held)
      signal.removeEventListener('abort', over)
      resolve(status === 'cut' && signal.aborted ? 'held' : status)
    })
    if (isDeaf) {
      socket.pause()
      return
    }
    socket.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1')
      if (status === 'cut') status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'cut'
      // What goes on is held; what was answered is over.
      if (status !== '200' || !/text\/event-stream/i.test(text)) over()
    })
  })
}

/** A request with a body of JSON, as bytes. */
export function posting(path: string, body: string | Buffer, headers = ''): Buffer {
  const bytes = Buffer.from(body)
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}Content-Length: ${bytes.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes])
}
