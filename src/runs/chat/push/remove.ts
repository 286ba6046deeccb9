import type { Store, Write } from '#src/ports/store.ts'

/** Ends all notifications of tasks that were sent to these agents, also those that wait. */
export async function targetsRemoved(
  { push_targets }: Pick<Store, 'push_targets'>,
  charIds: readonly string[],
): Promise<Write[]> {
  const ofThem = { char_id: { $in: charIds } }
  const found = await push_targets.pick(['id'], ofThem)
  if (found.length === 0) return []
  const ids = found.flatMap(([id]) => (typeof id === 'string' ? [id] : []))
  return [
    { in: 'push_targets', delete: ofThem },
    // One that is set after this look is found to be without its target when its turn comes.
    { in: 'deliveries', delete: { push_target: { $in: ids }, status: 'pending' } },
  ]
}
