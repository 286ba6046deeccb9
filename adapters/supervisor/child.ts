import { fork } from 'node:child_process'
import type { Report, Send } from './messages.ts'
import type { End, Running } from './post.ts'

/** A process that this one has started. */
export interface Child extends Running {
  readonly pid: number | undefined
  /** Sends an order, if the process is still there. */
  readonly send: Send
}

/** How every process of the server is started, with the same flags of Node as this one. */
export interface Start {
  /** The file of the program. */
  entry: string
  env: NodeJS.ProcessEnv
}

/** Starts a process. @param heard is called with each of its reports */
export function startChild(
  { entry, env }: Start,
  words: readonly string[],
  heard: (child: Child, report: Report) => void,
): Child {
  const child = fork(entry, words, {
    env,
    execArgv: process.execArgv,
    // Figures that are no numbers stay what they are.
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { promise: ended, resolve } = Promise.withResolvers<End>()
  child.once('exit', (code, signal) => resolve({ code, signal }))
  // It could not be started, or a message not be sent: its end says so.
  child.on('error', () => {
    if (child.pid === undefined) resolve({ code: null, signal: null })
  })
  const started: Child = {
    pid: child.pid,
    ended,
    kill: () => void child.kill('SIGKILL'),
    send(order, socket) {
      if (child.connected) child.send(order, socket, {}, () => undefined)
      else socket?.destroy()
    },
  }
  // A process of the same program sends reports alone.
  child.on('message', (message) => heard(started, message as Report))
  return started
}
