import type { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'

/** What is used here of the driver's own class, which it takes as an option but does not export. */
interface DriverConnection extends EventEmitter {
  readonly closed: boolean
  /** Why it is closed. */
  readonly error: Error | null
  writeCommand(...what: unknown[]): Promise<void>
}

const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
  // The file of the driver's pinned version; a test fails where another has it elsewhere.
  Connection: new (...how: unknown[]) => DriverConnection
}

/**
 * A connection whose end is heard while it writes. When the other end has left, Node destroys a socket
 * a moment before it emits `close`. In that moment it takes no bytes, and the driver waits for it to
 * drain, for ever: the command is never answered, its connection never given back, and if the command
 * was the monitor's look for the server, the server is never found again.
 */
export class HeardConnection extends Connection {
  override async writeCommand(...what: unknown[]): Promise<void> {
    const { promise: ended, reject } = Promise.withResolvers<never>()
    const end = (): void => reject(this.error)
    this.once('close', end)
    try {
      if (this.closed) end()
      await Promise.race([super.writeCommand(...what), ended])
    } finally {
      this.off('close', end)
    }
  }
}
