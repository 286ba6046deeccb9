import type { Reach } from '#src/characters/access.ts'
import type { Ports } from '#src/core/context.ts'
import { checkManifest, outsideReferences, type CheckedManifest } from './check.ts'

/** Checks a manifest against what is there: agents outside of it that it names are looked up. */
export async function review(
  { store, sender }: Reach & Pick<Ports, 'sender'>,
  raw: unknown,
): Promise<CheckedManifest> {
  const asked = outsideReferences(raw).slice(0, 1000)
  const rows = asked.length > 0 ? await store.characters.text({ id: { $in: asked } }) : []
  return checkManifest(raw, {
    objection: (url) => sender.objection(url),
    known: new Set(rows.map((row) => row.id)),
  })
}
