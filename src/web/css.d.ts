import 'react'

declare module 'react' {
  interface CSSProperties {
    /** Color of the product, used by elements that indicate the product. */
    '--product'?: string
  }
}
