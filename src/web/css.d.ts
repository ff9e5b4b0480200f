import 'react'

declare module 'react' {
  interface CSSProperties {
    /** The colour of the product that is meant, for the marks that show it. */
    '--product'?: string
  }
}
