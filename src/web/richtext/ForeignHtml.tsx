import { useEffect, useRef, useState } from 'react'
import { useComputedColorScheme } from '@mantine/core'
import { foldQuotes, forFrame, showInlineImages, type InlineImage } from '#web/richtext/purify.ts'
import classes from '#web/richtext/text.module.css'

interface Props {
  html: string
  title: string
  /** The files of the email, some of which its text may show. */
  images?: readonly InlineImage[]
}

/** Limit for emails whose height depends on that of the frame, and grows with it. */
const mostResizes = 60
const highest = 20_000

const light = 'background:transparent;color:#1c1c21'
/** Inverts the text's own colors, but not its images. */
const dark = 'background:#17171b;color:#e8e8ec'
const inverted =
  'html{filter:invert(1) hue-rotate(180deg);background:#e8e8e4}body{background:#e8e8e4;color:#17171b}img,video{filter:invert(1) hue-rotate(180deg)}'

/**
 * HTML from outside the panel (an email, a ticket) in a frame that runs no scripts and fetches only the
 * panel's stored files. The frame is as high as its content, and shares the panel's origin only so that it can
 * be measured and load these files; without scripts, it can't use the origin for anything else.
 */
export function ForeignHtml({ html, title, images = [] }: Props) {
  const isDark = useComputedColorScheme('light') === 'dark'
  // The addresses of files change with every reload of the record, but the frame must not start over.
  const [inline] = useState(images)
  const [height, setHeight] = useState(60)
  const frame = useRef<HTMLIFrameElement>(null)
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  function measure(): void {
    stop.current?.()
    const body = frame.current?.contentDocument?.body
    if (!body) return
    let left = mostResizes
    const observer = new ResizeObserver(() => {
      if ((left -= 1) > 0) setHeight(Math.min(Math.ceil(body.getBoundingClientRect().height), highest))
    })
    observer.observe(body)
    stop.current = () => observer.disconnect()
  }

  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src ${location.origin}/api/files/ data:`
  const hasColors = /(?:\bcolor|background(?:-color)?)\s*:|\b(?:bgcolor|color)\s*=/i.test(html)
  const colors = isDark ? (hasColors ? inverted : `body{${dark}}`) : `body{${light}}`
  const style = `html,body{height:auto!important}body{display:flow-root;margin:0;padding:2px 0;font:14px/1.5 Inter,system-ui,sans-serif;overflow-wrap:anywhere;overflow-x:auto}img{max-width:100%;height:auto}summary{width:max-content;padding:0 8px;border-radius:6px;background:#8883;cursor:pointer;list-style:none}${colors}`
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}"><base target="_blank"><style>${style}</style>`
  return (
    <iframe
      ref={frame}
      className={classes.frame}
      style={{ height }}
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      title={title}
      srcDoc={`${head}${foldQuotes(showInlineImages(forFrame(html), inline))}`}
      onLoad={measure}
    />
  )
}
