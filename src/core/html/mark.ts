import { Html } from './html.ts'

/** The sign of the service: a roof over a door. */
const shape =
  'M32 8 6 30h8v26h36V30h8z" stroke-linejoin="round"/><path d="M26 56V40a6 6 0 0 1 12 0v16'

/** The sign as it stands next to the name of the service, in the colour of links. */
export const mark = new Html(
  `<svg viewBox="0 0 64 64" aria-hidden="true"><path d="${shape}"/></svg>`,
)

/** The sign alone, as an image, in a colour that is visible on light and dark. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="Abode" fill="none" stroke="#5b7fd6" stroke-width="5"><path d="${shape}"/></svg>
`
