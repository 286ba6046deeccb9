import { documentName, touch } from '#src/core/told/touch.ts'

/** The connection, for runs that wait until another has renewed its tokens. */
export const connectionTouches = [
  touch({
    in: 'outbound_connections',
    ofDeleted: true,
    names: ({ id }) => [documentName('outbound_connections', id)],
  }),
]
