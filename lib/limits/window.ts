/** When the window of this moment ends. Windows follow each other without gap, the first at the epoch (design.md section 6). */
export function windowEnd(now: number, windowMs: number): number {
  return now - (now % windowMs) + windowMs
}
