import type { Ports } from '#src/core/context.ts'
import { abandoned, type KeptMedia } from '../media/store-picture.ts'
import type { Write } from '#src/ports/store.ts'

/** What pictures add to the commit of their agent. */
export function mediaMade(kept: readonly KeptMedia[]): { writes: Write[]; bytes: number } {
  return {
    writes: kept.map(({ write }) => write),
    bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

/** Creates an agent whose pictures are stored already; if that fails, removes them again. */
export async function makingWith<T>(
  ports: Pick<Ports, 'files'>,
  kept: readonly KeptMedia[],
  make: () => Promise<T>,
): Promise<T> {
  try {
    return await make()
  } catch (cause) {
    await abandoned(ports, kept, cause)
    throw cause
  }
}
