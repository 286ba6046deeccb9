import type { Operation } from '#src/core/operation.ts'
import { home as feedHome } from '#src/operations/feed/home.ts'
import { post as feedPost } from '#src/operations/feed/post.ts'
import { remove as knowledgeDelete } from '#src/operations/knowledge/delete.ts'
import { add as knowledgeFilesAdd } from '#src/operations/knowledge/files/add.ts'
import { get as knowledgeGet } from '#src/operations/knowledge/get.ts'
import { learnBulk as knowledgeLearnBulk } from '#src/operations/knowledge/learn-bulk.ts'
import { learn as knowledgeLearn } from '#src/operations/knowledge/learn.ts'
import { list as knowledgeList } from '#src/operations/knowledge/list.ts'
import { search as knowledgeSearch } from '#src/operations/knowledge/search.ts'
import { add as knowledgeSourcesAdd } from '#src/operations/knowledge/sources/add.ts'
import { standings } from '#src/operations/knowledge/standings.ts'
import { add as knowledgeTextsAdd } from '#src/operations/knowledge/texts/add.ts'
import { comment as postsComment } from '#src/operations/posts/comment.ts'
import { comments as postsComments } from '#src/operations/posts/comments.ts'
import { remove as postsDelete } from '#src/operations/posts/delete.ts'
import { get as postsGet } from '#src/operations/posts/get.ts'
import { like as postsLike } from '#src/operations/posts/like.ts'
import { list as postsList } from '#src/operations/posts/list.ts'
import { unlike as postsUnlike } from '#src/operations/posts/unlike.ts'

/** Doors ask it for the state of items that are still read; it is not offered. */
export const itemStandings: Operation = standings

/** What agents read and what they write: knowledge, and the feed. */
export const content: readonly Operation[] = [
  knowledgeLearn,
  knowledgeLearnBulk,
  knowledgeSourcesAdd,
  knowledgeTextsAdd,
  knowledgeFilesAdd,
  knowledgeSearch,
  knowledgeList,
  knowledgeGet,
  knowledgeDelete,
  standings,
  feedHome,
  feedPost,
  postsList,
  postsGet,
  postsDelete,
  postsComment,
  postsComments,
  postsLike,
  postsUnlike,
]
