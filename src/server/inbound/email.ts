/** Limits for emails that arrive; emails above them keep their sender and subject. */
export const emailLimits = { bytes: 50_000_000, lines: 1_000_000, parts: 200, depth: 20, ms: 30_000 } as const

export type EmailKind = 'message' | 'list' | 'auto_reply' | 'bounce' | 'complaint' | 'loop'

export interface Mailbox {
  name: string
  address: string
}

/** A file of an email that arrived. */
export interface EmailFile {
  name: string
  content: Uint8Array
  /** As in `cid:…`, without angle brackets; empty if the text doesn't refer to it. */
  content_id: string
}

/** A recipient in a delivery report (RFC 3464) or a complaint (RFC 5965). */
export interface ReportedRecipient {
  address: string
  kind: 'hard' | 'soft' | 'complaint'
  /** The server's message. */
  error: string
}

export interface EmailReport {
  /** Message-ID of the email that the report is about; empty if the report doesn't say. */
  message_id: string
  recipients: ReportedRecipient[]
}

/** An email that arrived, as it was read. */
export interface ParsedEmail {
  /** Made of the content if the header is missing or unusable. */
  message_id: string
  kind: EmailKind
  /** Undefined if the header is missing, invalid, or names several people. */
  from: Mailbox | undefined
  to: string[]
  cc: string[]
  /** Addresses of To, Cc, Delivered-To, and similar headers, one of which can have a reply token. */
  delivered_to: string[]
  /** Our addresses at which it arrived: the topmost Delivered-To header, and similar ones. */
  arrived_at: string[]
  subject: string
  text: string
  html: string
  in_reply_to: string
  references: string
  written_at: string | null
  /** The topmost Authentication-Results header; empty if there is none. */
  authentication: string
  files: EmailFile[]
  report: EmailReport | null
  problems: string[]
  bytes: number
}
