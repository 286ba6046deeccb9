import { letIn, type Authorize } from '#src/ports/authorize.ts'

/** The same fetch, let in by what is known of its address; as it is where its requests say themselves who they are. */
export function authorized(way: typeof fetch, authorize: Authorize | undefined): typeof fetch {
  if (!authorize) return way
  return async (target, init) => {
    const headers = new Headers(init?.headers)
    if (headers.has('authorization')) return way(target, init)
    const url = target instanceof Request ? target.url : String(target)
    return letIn(authorize, url, {
      make: (header) => {
        if (header !== undefined) headers.set('authorization', header)
        return way(target, { ...init, headers })
      },
      asks: ({ status, headers: said }) => ({
        status,
        challenge: said.get('www-authenticate') ?? undefined,
      }),
      leave: async ({ body }) => body?.cancel(),
    })
  }
}
