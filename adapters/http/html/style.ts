import { colors, commonStyle } from '#src/core/html/style.ts'

/** For every page: light or dark as the reader prefers. */
export const style = `
:root{color-scheme:light dark;${colors((day) => day)}}
@media (prefers-color-scheme:dark){:root{${colors((_, night) => night)}}}
${commonStyle}`
