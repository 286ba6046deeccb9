import { retainer } from '#src/work/retention.ts'
import type { World } from '#tests/support/world.ts'

/** Walks over everything, as far as a walk goes by itself. @returns how much has gone */
export async function walked({ ports }: World): Promise<number> {
  const keeping = retainer(ports)
  let gone = 0
  for (let n = 0; n < 20; n++) gone += await keeping.tick(ports.clock.now())
  return gone
}
