import { useCallback, useEffect, useRef, useState } from 'react'
import { useComputedColorScheme } from '@mantine/core'
import {
  colorsFor,
  foldQuotes,
  hideRemoteImages,
  nameMissingImages,
  showInlineImages,
  showLoadedImages,
  uncommentStyles,
  type InlineImage,
} from '#web/richtext/emailHtml.ts'
import { withLinks } from '#web/richtext/withLinks.ts'
import { forFrame } from '#web/richtext/purify.ts'
import inter from '#web/styles/inter.woff2?url'
import classes from '#web/richtext/text.module.css'

interface Props {
  html: string
  title: string
  /** The files of the email, some of which its text may show. */
  images?: readonly InlineImage[]
  /** Images on other servers that the panel loaded, as `data:` URLs by their addresses; others are not shown. */
  loaded?: ReadonlyMap<string, string>
  /** Returns the address of the record with a number such as #145; if omitted, numbers are not links. */
  addressOf?: (number: number) => string | undefined
}

/** Limit for emails whose height depends on that of the frame, and grows with it. */
const mostResizes = 60
const highest = 20_000
const heightAtFirst = 60
/** Distance from the screen at which a frame is created. */
const near = '600px'

/**
 * HTML from outside the panel (an email, a ticket) in a frame that runs no scripts and fetches only the
 * panel's stored files. The frame is as high as its content, and shares the panel's origin only so that it can
 * be measured and load these files; without scripts, it can't use the origin for anything else. A frame is a
 * page, so it is created only when it comes near the screen.
 */
export function ForeignHtml(props: Props) {
  const [isNear, setNear] = useState(false)
  const watch = useCallback((place: HTMLElement | null) => {
    if (!place) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry!.isIntersecting) setNear(true)
      },
      { rootMargin: near, scrollMargin: near },
    )
    observer.observe(place)
    return () => observer.disconnect()
  }, [])
  return isNear ? <Frame {...props} /> : <div ref={watch} style={{ height: heightAtFirst }} />
}

const none: ReadonlyMap<string, string> = new Map()

function Frame({ html, title, images = [], loaded = none, addressOf }: Props) {
  const isDark = useComputedColorScheme('light') === 'dark'
  // The addresses of files change with every reload of the record, but the frame must not start over.
  const [inline] = useState(images)
  const [height, setHeight] = useState(heightAtFirst)
  const frame = useRef<HTMLIFrameElement>(null)
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  function measure(): void {
    stop.current?.()
    const body = frame.current?.contentDocument?.body
    if (!body) return
    let left = mostResizes
    const observer = new ResizeObserver(() => {
      if ((left -= 1) <= 0) return
      // A wide email scrolls sideways, and its scroll bar takes space below the text.
      const bar = frame.current
        ? frame.current.clientHeight - body.ownerDocument.documentElement.clientHeight
        : 0
      setHeight(Math.min(Math.ceil(body.getBoundingClientRect().height), highest) + bar)
    })
    observer.observe(body)
    const unfold = () => frame.current?.dispatchEvent(new Event('unfold', { bubbles: true }))
    body.addEventListener('toggle', unfold, { capture: true })
    stop.current = () => {
      observer.disconnect()
      body.removeEventListener('toggle', unfold, { capture: true })
    }
  }

  const policy = `default-src 'none'; style-src 'unsafe-inline'; font-src ${location.origin}; img-src ${location.origin}/api/files/ data:`
  const font = `@font-face{font-family:Inter;font-weight:400 600;src:url(${new URL(inter, location.origin).href})}`
  const style = `${font}html,body{height:auto!important}body{display:flow-root;margin:0;padding:2px 0;font:14px/1.5 Inter,system-ui,sans-serif;overflow-wrap:anywhere;overflow-x:auto}body>p:first-child{margin-top:0}body>p:last-child{margin-bottom:0}img{max-width:100%;height:auto}::-webkit-scrollbar{height:10px}::-webkit-scrollbar-thumb{border-radius:5px;background:#8888}summary{width:max-content;margin-top:8px;padding:0 8px;border-radius:6px;background:#8883;cursor:pointer;list-style:none}${colorsFor(html, isDark)}`
  const clean = forFrame(uncommentStyles(html))
  const linked = addressOf ? withLinks(clean, addressOf) : clean
  const shown = hideRemoteImages(showLoadedImages(showInlineImages(linked, inline), loaded))
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}"><base target="_blank"><style>${style}</style>`
  return (
    <iframe
      ref={frame}
      className={classes.frame}
      style={{ height }}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      title={title}
      srcDoc={`${head}${foldQuotes(nameMissingImages(shown))}`}
      onLoad={measure}
    />
  )
}
