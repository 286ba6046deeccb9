import type { Socket } from 'node:net'
import { beatMs, type Order, type Report } from './messages.ts'

/** What takes the connections of a process. */
export interface Taking {
  take(socket: Socket): void
  readonly open: number
}

/** The end of the channel that a process has to its supervisor. */
export interface Channel {
  /** The process is ready, and takes connections if it answers. */
  ready(taking: Taking | undefined): void
  /** The page of metrics of all processes. */
  page(): Promise<string>
  /** The names of the processes that are not ready. */
  missing(): readonly string[]
  /** The process takes no more connections; resolves when no more come. */
  leave(): Promise<void>
  /** Resolves when all others have ended, or at once where not all of them are to stop. */
  alone(): Promise<void>
}

/** What a process does when it is told to. */
export interface Told {
  /** The supervisor tells it to stop, or has ended itself. */
  stop(signal: string): void
  /** It is to be stopped soon. */
  drain(): void
  figures(): Promise<unknown>
}

/** Opens the channel of this process, which a supervisor has started. */
export function openChannel(told: Told): Channel {
  const asked = new Map<number, (text: string) => void>()
  let taking: Taking | undefined
  let isLeaving = false
  let missing: readonly string[] = []
  let last = 0
  const left = Promise.withResolvers<void>()
  const others = new Others()
  const say = (report: Report): void => {
    // If the supervisor has just ended, no one is there to be told.
    if (process.connected) process.send?.(report, undefined, {}, () => undefined)
  }
  const take = (id: number, socket: Socket | undefined): void => {
    if (socket && taking) taking.take(socket)
    else socket?.destroy()
    say({ kind: 'taken', id, open: taking?.open ?? 0 })
  }
  process.on('message', (message, handle) => {
    // The supervisor sends orders alone, and sockets alone with them.
    const [order, socket] = [message as Order, handle as Socket | undefined]
    if (order.kind === 'offer' && taking && !isLeaving) say({ kind: 'take', id: order.id })
    if (order.kind === 'connection') take(order.id, socket)
    if (order.kind === 'tell') void tell(order.id)
    if (order.kind === 'page') asked.get(order.id)?.(order.text)
    if (order.kind === 'left') left.resolve()
    if (order.kind === 'missing') missing = order.names
    if (order.kind === 'drain') told.drain()
    if (order.kind === 'stop') others.stop()
    if (order.kind === 'stop') told.stop(order.signal)
    if (order.kind === 'alone') others.end()
  })
  const tell = async (id: number): Promise<void> => {
    say({ kind: 'figures', id, figures: await told.figures() })
  }
  process.once('disconnect', () => {
    left.resolve()
    others.end()
    told.stop('disconnect')
  })
  return {
    ready(given) {
      taking = given
      say({ kind: 'ready' })
      setInterval(() => say({ kind: 'alive', open: taking?.open ?? 0 }), beatMs).unref()
    },
    page() {
      const id = ++last
      const { promise, resolve } = Promise.withResolvers<string>()
      asked.set(id, resolve)
      say({ kind: 'page', id })
      return promise.finally(() => asked.delete(id))
    },
    missing: () => missing,
    leave() {
      isLeaving = true
      say({ kind: 'leaving' })
      return left.promise
    },
    alone: () => others.ended(),
  }
}

/** The other processes, as far as the supervisor has told of their end. */
class Others {
  readonly #end = Promise.withResolvers<void>()
  #areToStop = false

  /** All are told to stop. */
  stop(): void {
    this.#areToStop = true
  }

  end(): void {
    this.#end.resolve()
  }

  /** At once where this process ends by itself. */
  ended(): Promise<void> {
    return this.#areToStop ? this.#end.promise : Promise.resolve()
  }
}
