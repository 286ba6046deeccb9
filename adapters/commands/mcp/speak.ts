import { linesOf, noText, tooLong } from './lines.ts'
import { Relay, type RelayOptions } from './relay.ts'

/** The door refuses messages above 16 MB; the line is held so that the refusal can name its request. */
const lineBytesAtMost = 64 * 2 ** 20
/** Hosts kill a process two seconds after they close its input. */
const graceMs = 700
const endsWithinMs = 9500
const failed = 1
const lookForParentMs = 1000

interface Speaking extends Omit<RelayOptions, 'write'> {
  /** Writes to standard output. */
  messages: (text: string) => boolean
  say: (line: string) => void
  /** Closes what is behind the carrier. */
  close: () => Promise<void>
}

/** Talks to the host until it has gone, then ends the process. */
export async function speak({ messages, say, close, ...options }: Speaking): Promise<void> {
  const leaving = new AbortController()
  const relay = new Relay({ ...options, write: writing(messages, leaving.signal) })
  leaveOnSignal(leaving)
  leaveWithParent(leaving)
  process.stdout.on('error', () => leaving.abort())
  const fail = (cause: unknown): void => {
    say(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))
    process.exit(failed)
  }
  process.on('unhandledRejection', fail)
  process.on('uncaughtException', fail)
  leaving.signal.addEventListener('abort', () => process.stdin.destroy())
  try {
    for await (const line of linesOf(process.stdin, lineBytesAtMost)) {
      if (line === tooLong) relay.takeTooLong()
      else if (line === noText) relay.takeNoText()
      else relay.take(line)
    }
  } catch (cause) {
    // A closed input ends the conversation, however it was closed.
    if (!leaving.signal.aborted) say(`the input broke off: ${String(cause)}`)
  }
  setTimeout(() => process.exit(failed), endsWithinMs).unref()
  await relay.end(leaving.signal.aborted ? 0 : graceMs)
  await close()
  process.exit(0)
}

/** Writes one message after another, each when the host has room for it. */
function writing(
  messages: (text: string) => boolean,
  gone: AbortSignal,
): (text: string) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  const write = async (text: string): Promise<void> => {
    if (gone.aborted || messages(`${text}\n`)) return
    await new Promise<void>((resolve) => {
      process.stdout.once('drain', resolve)
      gone.addEventListener('abort', () => resolve(), { once: true })
    })
  }
  return (text) => (last = last.then(() => write(text)))
}

/** The first signal ends in order, a second one at once. */
function leaveOnSignal(leaving: AbortController): void {
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (leaving.signal.aborted) process.exit(failed)
      leaving.abort()
    })
  }
}

/** When a host is killed, a child process of it may keep the pipe open. */
function leaveWithParent(leaving: AbortController): void {
  const { ppid } = process
  const timer = setInterval(() => {
    if (process.ppid !== ppid) leaving.abort()
  }, lookForParentMs)
  timer.unref()
}
