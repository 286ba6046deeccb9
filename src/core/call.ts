import { Unavailable } from '#src/ports/store.ts'
import { callers } from './admission/callers.ts'
import { awayRefusal } from './admission/faults.ts'
import { Entrance } from './admission/entrance.ts'
import { Streams } from './admission/streams.ts'
import type { Ports } from './context.ts'
import type { AdmittingCore } from './door.ts'
import type { Operation } from './operation.ts'

/** What the core is built from: the ports, and the operations to run. */
export type CorePorts = Ports & { catalog: readonly Operation[] }

/**
 * The core, which takes every call: identify, limit, validate, replay, admit, run.
 * @param streams counts calls that stay open, together with others of the doors
 */
export function core(ports: CorePorts, streams = new Streams()): AdmittingCore {
  const known = callers(ports)
  const { forgetCallers } = ports
  // Put in its place, for what works in the background closes accounts too.
  ports.forgetCallers = () => {
    forgetCallers()
    known.forget()
  }
  const entrance = new Entrance(ports, known, streams)
  return {
    catalog: ports.catalog,
    admit: (heading) => entrance.admit(heading),
    serve: (call) => entrance.serve(call),
    async identify(sent) {
      try {
        return await (typeof sent === 'string' ? known.identify(sent) : known.signedIn(sent))
      } catch (cause) {
        throw cause instanceof Unavailable ? awayRefusal(cause) : cause
      }
    },
  }
}
