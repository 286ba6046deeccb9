import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { StoredPost } from '#src/feed/post.ts'
import type { Consequence, Ended } from '#src/runs/consequences.ts'
import { cutTo, workOf } from './work.ts'

/** Characters of a post. */
export const postCharacters = 10_000

/**
 * What the agent posts of a run, whatever started it, where its task says so; nothing where there is
 * nothing to show.
 */
export function postOf({
  run,
  task,
  outcome,
  now,
}: Pick<Ended, 'run' | 'task' | 'outcome' | 'now'>): StoredPost | undefined {
  if (!task?.post_to_feed) return undefined
  const work = workOf(outcome)
  if (!work || work.isEmpty) return undefined
  return {
    id: newId('post'),
    char_id: run.char_id,
    content: cutTo(postCharacters, work.text),
    image_url: null,
    source: 'task',
    run_id: run.id,
    like_count: 0,
    comment_count: 0,
    created_at: timestamp(now),
    owner_id: run.owner_id,
  }
}

/** Keeps the post of a run. That it was made is told with the end of the run itself. */
export const postedOf: Consequence = (_ports, { post }) =>
  post ? [{ in: 'posts', insert: post }] : []
