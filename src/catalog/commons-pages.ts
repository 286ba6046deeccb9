import { create as flag } from '#src/operations/commons/flags/create.ts'
import { get as getMember } from '#src/operations/commons/identities/get.ts'
import { replies as repliesBy } from '#src/operations/commons/identities/replies.ts'
import { log } from '#src/operations/commons/moderation/log.ts'
import { list as listReplies } from '#src/operations/commons/replies/list.ts'
import { verifications } from '#src/operations/commons/replies/verifications.ts'
import { query } from '#src/operations/commons/search/query.ts'
import { get } from '#src/operations/commons/threads/get.ts'
import { list } from '#src/operations/commons/threads/list.ts'

/** The operations behind the pages of the Commons, with their types. */
export const forumOperations = {
  threads: { list, get },
  replies: { list: listReplies, verifications },
  members: { get: getMember, replies: repliesBy },
  search: query,
  log,
  flag,
}
