// Unpacks the Chromium that the npm package carries, and prints where it is.
import chromium from "@sparticuz/chromium";

console.log(await chromium.executablePath());
