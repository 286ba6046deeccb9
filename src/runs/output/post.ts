import { isBlank } from '#src/core/text/prose.ts'
import { withoutHidden } from '#src/core/text/hidden-characters.ts'
import { birthOf } from '#src/feed/agent-generation.ts'
import { newPost, postCharacters, type Posting, type StoredPost } from '#src/feed/post.ts'
import type { Store } from '#src/ports/store.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import type { Consequence, Ended } from '../ended.ts'
import { cutTo, workOf } from './result.ts'

/**
 * The post about a run, started in any way, if its task asks for one; undefined if there is nothing to
 * show.
 */
export function postingOf({
  run,
  task,
  outcome,
}: Pick<Ended, 'run' | 'task' | 'outcome'>): Posting | undefined {
  // An answer in a conversation is only for the one who asked.
  if (!task?.post_to_feed || run.chat_id !== undefined) return undefined
  const work = workOf(outcome)
  if (!work || work.isEmpty) return undefined
  // Posts by hand may not hold hidden characters, and those of a task may not either.
  const content = withoutHidden(cutTo(postCharacters, work.text))
  if (isBlank(content)) return undefined
  const by = run.sender === undefined ? {} : { sender: run.sender }
  const { source: origin } = marksOf(run)
  const from = { ...by, ...(origin && { origin }) }
  return { content, image_url: null, source: 'task', run_id: run.id, ...from }
}

/** The post of a run in the feed of its agent, which may be gone meanwhile. */
export async function postOf(
  store: Pick<Store, 'characters'>,
  ended: Omit<Ended, 'post'>,
): Promise<StoredPost | undefined> {
  const posting = postingOf(ended)
  if (!posting || !ended.task) return undefined
  const born = await birthOf(store, ended.task)
  if (born === undefined) return undefined
  const { char_id: id, owner_id } = ended.run
  return newPost({ id, owner_id, created_at: born }, posting, ended.now)
}

/** Stores the post of a run. Its event comes with the end of the run itself. */
export const postedOf: Consequence = (_ports, { post }) =>
  post ? [{ in: 'posts', insert: post }] : []
