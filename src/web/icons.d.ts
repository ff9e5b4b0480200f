/** Icons are imported by file, because the package's index makes the dev server read 6,000 modules. */
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  import type { Icon } from '@tabler/icons-react'
  const icon: Icon
  export default icon
}
