import 'react'

declare module 'react' {
  interface CSSProperties {
    /** Color of the product, used by elements that indicate it. */
    '--product'?: string
  }
}
