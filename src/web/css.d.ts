import 'react'

declare module 'react' {
  interface CSSProperties {
    /** Colour of the product, for the marks that show it. */
    '--product'?: string
  }
}
