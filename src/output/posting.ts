import { newPost, postCharacters, type Posting, type StoredPost } from '#src/feed/post.ts'
import type { Store } from '#src/ports/store.ts'
import type { Consequence, Ended } from '#src/runs/consequences.ts'
import { cutTo, workOf } from './work.ts'

/**
 * What is posted of a run, whatever started it, where its task says so; nothing where there is
 * nothing to show.
 */
export function postingOf({
  run,
  task,
  outcome,
}: Pick<Ended, 'run' | 'task' | 'outcome'>): Posting | undefined {
  if (!task?.post_to_feed) return undefined
  const work = workOf(outcome)
  if (!work || work.isEmpty) return undefined
  const content = cutTo(postCharacters, work.text)
  return { content, image_url: null, source: 'task', run_id: run.id }
}

/** The post of a run in the feed of its agent, which may have gone meanwhile. */
export async function postOf(
  { characters }: Pick<Store, 'characters'>,
  ended: Omit<Ended, 'post'>,
): Promise<StoredPost | undefined> {
  const posting = postingOf(ended)
  if (!posting) return undefined
  const { char_id: id, owner_id } = ended.run
  const [agent] = await characters.pick(['created_at'], { id, owner_id }, { limit: 1 })
  if (!agent) return undefined
  return newPost({ id, owner_id, created_at: String(agent[0]) }, posting, ended.now)
}

/** Keeps the post of a run. That it was made is told with the end of the run itself. */
export const postedOf: Consequence = (_ports, { post }) =>
  post ? [{ in: 'posts', insert: post }] : []
