/** A Venetian arch in a box from 0,0 to 1,1. */
export const ARCH = "M0 1V.5C0 .27 .22 .22 .38 .13C.45 .09 .485 .055 .5 0C.515 .055 .55 .09 .62 .13C.78 .22 1 .27 1 .5V1Z";
