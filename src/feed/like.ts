/** An account likes a post: kept under `post_id/account_id`, so that it does so once. */
export interface Like {
  id: string
  post_id: string
  /** RFC 3339. */
  created_at: string
}

/** The key of a like. */
export function likeId(postId: string, accountId: string): string {
  return `${postId}/${accountId}`
}
