/** A like of a post by an account: kept under `post_id/account_id`, so that there is only one. */
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
