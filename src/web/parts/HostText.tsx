import { Suspense } from 'react'
import { lazyPart } from '#web/shell/lazy.tsx'

// Few addresses need it, so it is loaded with the first one that does.
const UnicodeText = lazyPart(() => import('#web/parts/UnicodeText.tsx'))

/**
 * A web address, a domain, or an email address. Its domain is shown in Unicode: `müller.example` instead of
 * `xn--mller-kva.example`.
 */
export const HostText = ({ text }: { text: string }) =>
  /xn--/i.test(text) ? (
    <Suspense fallback={text}>
      <UnicodeText text={text} />
    </Suspense>
  ) : (
    text
  )
